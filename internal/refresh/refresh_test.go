// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/trainyard/trainyard/internal/golden"
)

// What a refresh writes is what stands in the repository.
func TestTheRepositoryIsFresh(t *testing.T) {
	fresh, folders := t.TempDir(), []string{"runtimes", "schemas", "deploy/crds"}
	for _, folder := range folders {
		if err := os.MkdirAll(filepath.Join(fresh, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := refresh(fresh); err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		written := contents(t, filepath.Join(fresh, folder))
		if len(written) == 0 {
			t.Errorf("nothing was written to %s", folder)
		}
		for name, text := range written {
			kept, err := os.ReadFile(filepath.Join("../..", folder, name))
			if err != nil {
				t.Error(err)
			}
			if string(kept) != text {
				t.Errorf("%s/%s is not what `make refresh` writes", folder, name)
			}
		}
	}
}

func TestReplaceTakesAwayWhatUpstreamNoLongerHas(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"old.yaml":  "# " + generatedMark + "a v1\n",
		"own.yaml":  "# written by hand\n",
		"kept.yaml": "# " + generatedMark + "a v1\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := replace(folder, map[string][]byte{"kept.yaml": []byte("anew"), "new.yaml": []byte("new")}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"own.yaml": "# written by hand\n", "kept.yaml": "anew", "new.yaml": "new"}
	if diff := cmp.Diff(want, contents(t, folder)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		texts[entry.Name()] = string(text)
	}
	return texts
}

func TestTidyYAML(t *testing.T) {
	const given = `# a licence
spec: {b: "x", a: ["1", two]} # why
metadata:
    labels: {c: d}
    name: n
kind: K
text: |
    one
    two
apiVersion: v1
`
	const want = `apiVersion: v1
kind: K
metadata:
  name: n
  labels:
    c: d
spec:
  b: x
  a:
    - "1"
    - two
text: |
  one
  two
`
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(given), &document); err != nil {
		t.Fatal(err)
	}
	got, err := tidyYAML(&document)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSchemaFile(t *testing.T) {
	const given = `
spec:
  group: example.com
  names: {kind: Thing}
  versions:
    - name: v1
      storage: true
      schema:
        openAPIV3Schema:
          description: A thing.
          type: object
          properties:
            apiVersion: {type: string}
            kind: {type: string}
            metadata: {type: object}
            status: {type: object}
            spec:
              type: object
              x-kubernetes-validations:
                - {rule: self == oldSelf, message: may not change}
              properties:
                size:
                  anyOf: [{type: integer}, {type: string}]
                  pattern: ^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i))?$
                  x-kubernetes-int-or-string: true
                count: {type: integer}
                first: {type: object, description: One., properties: {name: {type: string}}}
                others:
                  type: array
                  x-kubernetes-list-type: atomic
                  items: {type: object, properties: {name: {type: string}}}
`
	parsed, err := parse([]byte(given))
	if err != nil {
		t.Fatal(err)
	}
	name, text, err := schemaFile(module{Path: "example.com/thing", Version: "v1.2.3"}, parsed)
	if err != nil {
		t.Fatal(err)
	}
	if name != "thing_v1.json" {
		t.Errorf("the file is named %s", name)
	}
	golden.File(t, "testdata/thing_v1.json", text)
}

func TestAnUnknownKeywordIsNoticed(t *testing.T) {
	parsed, err := parse([]byte(`{spec: {versions: [{storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-new: true}}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := schemaFile(module{}, parsed); err == nil {
		t.Error("the keyword was lost")
	}
}
