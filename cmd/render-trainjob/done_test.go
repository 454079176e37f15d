// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trainyard/trainyard/internal/golden"
)

// TestDone runs the commands that write into files. A case is as in runCases,
// with the folder jobs/ that the command edits; wanted is also after.txt, what
// jobs/ holds then.
func TestDone(t *testing.T) {
	golden.Cases(t, "../../testdata/done", func(t *testing.T, folder string) {
		folder, err := filepath.Abs(folder)
		if err != nil {
			t.Fatal(err)
		}
		t.Chdir(t.TempDir())
		if err := os.CopyFS(".", os.DirFS(folder)); err != nil {
			t.Fatalf("copy the case: %v", err)
		}
		words := strings.Fields(string(read(t, "command.txt")))
		stdout, stderr, code := call(nil, words[1:]...)
		if code != exitOK {
			t.Errorf("exit code %d: %s", code, stderr)
		}
		golden.File(t, filepath.Join(folder, "output.txt"), stdout)
		after := holds(t, "jobs")
		golden.File(t, filepath.Join(folder, "after.txt"), []byte(after))

		call(nil, words[1:]...)
		if again := holds(t, "jobs"); again != after {
			t.Errorf("a second call changes the files again:\n%s", again)
		}
	})
}

// holds is what the files of a folder hold, one after the other.
func holds(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var texts strings.Builder
	for _, file := range files {
		texts.WriteString(file + "\n" + string(read(t, file)))
	}
	return texts.String()
}
