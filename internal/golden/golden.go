// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package golden holds results against files that lie beside what was given.
//
// A folder is a case: given and wanted files side by side. With -update the
// wanted files are written anew, and the diff of the repository is the review.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the wanted files")

// Cases runs a subtest for each folder in dir.
func Cases(t *testing.T, dir string, run func(t *testing.T, folder string)) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatalf("read the cases: %v", err)
	}
	ran := 0
	for _, entry := range entries {
		if entry.IsDir() {
			ran++
			t.Run(entry.Name(), func(t *testing.T) { run(t, filepath.Join(dir, entry.Name())) })
		}
	}
	if ran == 0 {
		t.Fatalf("%s holds no case", dir)
	}
}

// File fails the test where got is not what the file holds. An empty got wants
// no file.
func File(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		write(t, path, got)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatalf("read what is wanted: %v", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s: wanted -, got +; `make golden` takes what was got:\n%s", path, diff)
	}
}

func write(t *testing.T, path string, got []byte) {
	t.Helper()
	var err error
	if len(got) == 0 {
		err = os.RemoveAll(path)
	} else if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
		err = os.WriteFile(path, got, 0o644)
	}
	if err != nil {
		t.Fatalf("rewrite what is wanted: %v", err)
	}
}
