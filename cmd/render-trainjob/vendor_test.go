// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trainyard/trainyard/internal/golden"
)

// TestVendor writes runtimes into files. A case is as in runCases, with the
// folder runtimes/ as it is before; wanted is also after.txt, what it holds
// then.
func TestVendor(t *testing.T) {
	golden.Cases(t, "../../testdata/vendor", func(t *testing.T, folder string) {
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
		golden.File(t, filepath.Join(folder, "output.txt"), stdout)
		golden.File(t, filepath.Join(folder, "findings.txt"), stderr)
		var exit []byte
		if code != exitOK {
			exit = fmt.Appendln(nil, code)
		}
		golden.File(t, filepath.Join(folder, "exit.txt"), exit)
		after := holds(t, "runtimes")
		golden.File(t, filepath.Join(folder, "after.txt"), []byte(after))
		if code == exitOK {
			vendorAgain(t, words[1:], after)
		}
	})
}

// vendorAgain finds everything in git, and changes nothing.
func vendorAgain(t *testing.T, args []string, before string) {
	t.Helper()
	if stdout, _, code := call(nil, append(args, "--check")...); code != exitOK {
		t.Errorf("what was vendored differs:\n%s", stdout)
	}
	call(nil, args...)
	if diff := cmp.Diff(before, holds(t, "runtimes")); diff != "" {
		t.Errorf("a second call changes the files again:\n%s", diff)
	}
}

// TestVendorBuiltin vendors the Trainer's own runtimes: what comes out renders
// as what went in, so its form in git is the same.
func TestVendorBuiltin(t *testing.T) {
	builtin, err := filepath.Abs("../../runtimes")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	stdout, stderr, code := call(nil, "vendor", "--from", builtin)
	if code != exitOK || strings.Count(string(stdout), "\nnew ") != 9 {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if stdout, _, code := call(nil, "vendor", "--from", builtin, "--check"); code != exitOK {
		t.Errorf("they differ:\n%s", stdout)
	}
}
