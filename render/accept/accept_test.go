// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/internal/golden"
	"github.com/trainyard/trainyard/render/accept"
	"github.com/trainyard/trainyard/render/finding"
)

const testdata = "../../testdata/accept"

// TestCheck: a folder named after a rule earns it; one that ends in -near, or
// begins with right-, earns nothing.
func TestCheck(t *testing.T) {
	golden.Cases(t, testdata, func(t *testing.T, folder string) {
		js := read(t, filepath.Join(folder, "jobset.yaml"))
		before := js.DeepCopy()
		findings := accept.Check(js)
		if diff := cmp.Diff(before, js); diff != "" {
			t.Errorf("Check changed the JobSet:\n%s", diff)
		}
		if diff := cmp.Diff(findings, accept.Check(js)); diff != "" {
			t.Errorf("Check said something else the second time:\n%s", diff)
		}
		var got []byte
		if len(findings) > 0 {
			got = marshal(t, findings)
		}
		golden.File(t, filepath.Join(folder, "findings.yaml"), got)
		earns(t, filepath.Base(folder), findings)
	})
}

// earns holds what a folder's name promises.
func earns(t *testing.T, name string, findings []finding.Finding) {
	t.Helper()
	if strings.HasSuffix(name, "-near") || strings.HasPrefix(name, "right-") {
		if len(findings) > 0 {
			t.Errorf("a near miss earns %v", findings)
		}
		return
	}
	for _, f := range findings {
		if strings.HasPrefix(name, string(f.Rule)) {
			return
		}
	}
	t.Errorf("none of the findings is of the rule that the case is named after")
}

func TestCheckNothing(t *testing.T) {
	if findings := accept.Check(nil); findings != nil {
		t.Errorf("Check(nil) = %v", findings)
	}
}

// FuzzCheck: whatever decodes can be checked.
func FuzzCheck(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join(testdata, "*", "jobset.yaml"))
	if err != nil || len(paths) == 0 {
		f.Fatalf("no cases in %s: %v", testdata, err)
	}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(_ *testing.T, raw []byte) {
		js := &jobset.JobSet{}
		if yaml.Unmarshal(raw, js) == nil {
			accept.Check(js)
		}
	})
}

func read(t *testing.T, path string) *jobset.JobSet {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	js := &jobset.JobSet{}
	if err := yaml.UnmarshalStrict(raw, js); err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
	return js
}

func marshal(t *testing.T, findings []finding.Finding) []byte {
	t.Helper()
	raw, err := yaml.Marshal(findings)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
