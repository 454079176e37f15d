// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trainyard/trainyard/render/finding"
)

// FuzzRun: whatever comes in, nothing panics, there is output or an error, and
// what was rendered renders to itself.
func FuzzRun(f *testing.F) {
	inputs, err := filepath.Glob(filepath.Join(cases, "*", "input.yaml"))
	if err != nil || len(inputs) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, input := range inputs {
		text, err := os.ReadFile(input)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, in string) {
		list, out := Run([]byte(in))
		for _, found := range out.Findings {
			if found.Rule == finding.Internal {
				t.Fatal(found.Message)
			}
		}
		if finding.Blocking(out.Findings) {
			return
		}
		if len(list) == 0 {
			t.Fatal("no error and no output")
		}
		second, out := Run(list)
		if finding.Blocking(out.Findings) {
			t.Fatalf("what was rendered earns an error: %+v\n%s", out.Findings, list)
		}
		sameItems(t, "rendered again", list, second)
	})
}
