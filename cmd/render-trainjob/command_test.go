// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/trainyard/trainyard/internal/golden"
)

// runCases runs every case of a folder of testdata. A case is a folder with
// manifests and command.txt, what a user types there, with stdin.txt as its
// input; wanted are output.txt, findings.txt (stderr) and exit.txt, each absent
// where there is none.
func runCases(t *testing.T, folder string) {
	t.Helper()
	golden.Cases(t, folder, func(t *testing.T, folder string) {
		t.Chdir(folder)
		words := strings.Fields(string(read(t, "command.txt")))
		if len(words) == 0 || words[0] != "render-trainjob" {
			t.Fatalf("command.txt must call render-trainjob; it has %q", words)
		}
		stdout, stderr, code := call(read(t, "stdin.txt"), words[1:]...)
		golden.File(t, "output.txt", stdout)
		golden.File(t, "findings.txt", stderr)
		var exit []byte
		if code != exitOK {
			exit = fmt.Appendln(nil, code)
		}
		golden.File(t, "exit.txt", exit)
	})
}

// call runs the command line as main does.
func call(stdin []byte, args ...string) (stdout, stderr []byte, code int) {
	var out, errs bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(bytes.NewReader(stdin))
	root.SetOut(&out)
	root.SetErr(&errs)
	code = exitCode(root.Execute(), &errs)
	return out.Bytes(), errs.Bytes(), code
}

// read returns what a file holds; one that is not there is empty.
func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return text
}
