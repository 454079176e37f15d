// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/internal/golden"
	"github.com/trainyard/trainyard/render/finding"
)

const wantMark = "# want: "

// Each file holds an object below the findings that it earns.
func TestValidate(t *testing.T) {
	golden.Cases(t, "../testdata/schemas", func(t *testing.T, folder string) {
		paths, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			t.Run(filepath.Base(path), func(t *testing.T) { testFile(t, path) })
		}
	})
}

func testFile(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	given := string(text)
	for strings.HasPrefix(given, wantMark) {
		_, given, _ = strings.Cut(given, "\n")
	}
	object, err := yaml.YAMLToJSON([]byte(given))
	if err != nil {
		t.Fatal(err)
	}
	found := Validate(object)
	if valid := strings.HasPrefix(filepath.Base(path), "valid-"); valid != (len(found) == 0) {
		t.Errorf("%d findings", len(found))
	}
	golden.File(t, path, []byte(wanted(found)+given))
}

func wanted(found []finding.Finding) string {
	var lines strings.Builder
	for _, f := range found {
		fmt.Fprintf(&lines, "%s%s  %s  %s  (%s)\n", wantMark, f.Severity, f.Field, f.Message, f.Rule)
	}
	return lines.String()
}

func TestValidateNamesTheObject(t *testing.T) {
	found := Validate([]byte(`{"apiVersion":"trainer.kubeflow.org/v1alpha1","kind":"TrainJob","metadata":{"name":"run","namespace":"team-a"}, "spec":{"runtimeRef":{"name":"a"},"x":1}}`))
	want := finding.Ref{APIVersion: "trainer.kubeflow.org/v1alpha1", Kind: "TrainJob", Namespace: "team-a", Name: "run"}
	if len(found) != 1 || found[0].Object != want {
		t.Errorf("got %+v, want one finding on %+v", found, want)
	}
}

func TestValidateTextThatIsNoObject(t *testing.T) {
	for _, text := range []string{"", "null", "[]", "7", "{", "{} {}"} {
		found := Validate([]byte(text))
		if len(found) != 1 || found[0].Rule != finding.NotAnObject {
			t.Errorf("Validate(%q) = %+v", text, found)
		}
	}
}

func FuzzValidate(f *testing.F) {
	paths, err := filepath.Glob("../testdata/schemas/*/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		object, err := yaml.YAMLToJSON(text)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(object)
	}
	f.Fuzz(func(t *testing.T, object []byte) {
		found := Validate(object)
		for _, one := range found {
			if one.Rule == finding.Internal {
				t.Errorf("fault: %s", one.Message)
			}
		}
		cleaned, admitted := Admit(object, nil)
		if fmt.Sprint(admitted) != fmt.Sprint(found) {
			t.Errorf("admitted, it earns %v; validated, %v", admitted, found)
		}
		if cleaned == nil {
			return
		}
		if again := Validate(cleaned); fmt.Sprint(again) != fmt.Sprint(found) {
			t.Errorf("cleaned, it earns %v; before, %v", again, found)
		}
	})
}

// JSON spells numbers in ways that YAML's readers take away.
func TestValidateNumbers(t *testing.T) {
	for number, want := range map[string]string{
		"2":           "",
		"2.0":         "must be a whole number from -2147483648 to 2147483647; it is 2.0",
		"1e1":         "must be a whole number from -2147483648 to 2147483647; it is 1e1",
		"1e999999999": `is out of range: "1e999999999"; write a number that a 64-bit field can hold`,
		"1e-99999999": `is out of range: "1e-99999999"; write a number that a 64-bit field can hold`,
	} {
		found := Validate([]byte(`{"apiVersion":"trainer.kubeflow.org/v1alpha1","kind":"TrainJob","metadata":{"name":"run"},` +
			`"spec":{"runtimeRef":{"name":"a"},"trainer":{"numNodes":` + number + `}}}`))
		got := ""
		for _, one := range found {
			got += one.Message
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", number, got, want)
		}
	}
}

// Many objects are judged at once, and the first of them read the schema.
func TestValidateInParallel(t *testing.T) {
	given, err := os.ReadFile("../testdata/schemas/jobset/valid-usual.yaml")
	if err != nil {
		t.Fatal(err)
	}
	object, err := yaml.YAMLToJSON(given)
	if err != nil {
		t.Fatal(err)
	}
	clear(documents.byName)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if found := Validate(object); found != nil {
				t.Errorf("%v", found)
			}
		})
	}
	all.Wait()
}
