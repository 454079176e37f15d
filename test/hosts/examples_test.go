// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package hosts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/test/hosts/lab"
)

// TestExamplesInKustomize runs each README's command for kustomize, with the
// function as a program and as an image. It makes the objects of rendered.yaml.
func TestExamplesInKustomize(t *testing.T) {
	ran := 0
	for _, example := range examples(t) {
		for _, command := range commands(t, example) {
			if !strings.HasPrefix(command, "kustomize build ") {
				continue
			}
			ran++
			for form, replacer := range forms {
				t.Run(filepath.Base(example)+"/"+form, func(t *testing.T) {
					sameObjects(t, example, kustomize(t, example, command, replacer))
				})
			}
		}
	}
	if ran == 0 {
		t.Error("no README runs kustomize")
	}
}

// kustomize runs a README's command on a copy of the example.
func kustomize(t *testing.T, example, command string, form *strings.Replacer) []byte {
	t.Helper()
	work := t.TempDir()
	name := filepath.Join("examples", filepath.Base(example))
	deploy(t, filepath.Join(work, "deploy"))
	for file, text := range read(t, example) {
		write(t, filepath.Join(work, name, file), []byte(form.Replace(string(text))))
	}
	command = strings.ReplaceAll(command, strings.TrimSpace(goRun), "render-trainjob")
	out, err := lab.Run(t.Context(), work, "bash", "-euo", "pipefail", "-c", command)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestExampleInKpt renders the example for kpt in place, twice.
func TestExampleInKpt(t *testing.T) {
	example := filepath.Join(root, "examples", "kpt-deepspeed")
	for form, replacer := range forms {
		t.Run(form, func(t *testing.T) {
			work := t.TempDir()
			before := read(t, example)
			for file, text := range before {
				write(t, filepath.Join(work, file), []byte(replacer.Replace(string(text))))
			}
			render := func() map[string][]byte {
				if _, err := lab.Run(t.Context(), work, "kpt", "fn", "render", "--allow-exec"); err != nil {
					t.Fatal(err)
				}
				return read(t, work)
			}
			first := render()
			sameObjects(t, example, first["trainjob.jobset.yaml"])
			if diff := cmp.Diff(first, render()); diff != "" {
				t.Errorf("the second rendering changes files:\n%s", diff)
			}
			if diff := cmp.Diff(before["rendered.yaml"], first["rendered.yaml"]); diff != "" {
				t.Errorf("kpt reads rendered.yaml:\n%s", diff)
			}
		})
	}
}

// TestImageIsNobodys asks the image to run as the hosts run it: as nobody, by
// name.
func TestImageIsNobodys(t *testing.T) {
	said := docker(t, "run", "--rm", "--network", "none", "--user", "nobody", lab.Image, "version")
	if !strings.Contains(said, lab.Version) {
		t.Errorf("the image of %s says that it is %s", lab.Version, said)
	}
}

// sameObjects wants the objects of an example's rendered.yaml.
func sameObjects(t *testing.T, example string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join(example, "rendered.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(objects(t, want), objects(t, got)); diff != "" {
		t.Errorf("rendered.yaml -, host +:\n%s", diff)
	}
}

// objects are the documents of a text, by kind and name.
func objects(t *testing.T, text []byte) map[string]map[string]any {
	t.Helper()
	all := map[string]map[string]any{}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var object struct {
			Kind     string
			Metadata struct{ Name string }
		}
		var whole map[string]any
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal([]byte(document), &whole); err != nil {
			t.Fatal(err)
		}
		if notes, there := whole["metadata"].(map[string]any)["annotations"].(map[string]any); there {
			// Names of ConfigMaps have their hash in a TrainJob that kustomize has
			// finished, and not yet in one that it is still at work on.
			delete(notes, "trainyard.dev/source-digest")
		}
		all[object.Kind+"/"+object.Metadata.Name] = whole
	}
	return all
}
