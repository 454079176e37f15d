// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFilesOf(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"jobs/a.yaml", "jobs/sub/b.json", "jobs/.git/c.yaml", "jobs/kustomization.yaml", "jobs/notes.txt"} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("jobs", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(root, "jobs/socket.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	t.Chdir(root)
	for path, want := range map[string][]string{
		"jobs":            {"jobs/a.yaml", "jobs/sub/b.json"},
		"jobs/":           {"jobs/a.yaml", "jobs/sub/b.json"},
		"link":            {"link/a.yaml", "link/sub/b.json"},
		".":               {"jobs/a.yaml", "jobs/sub/b.json"},
		"jobs/.git":       {"jobs/.git/c.yaml"},
		"jobs/notes.txt":  {"jobs/notes.txt"},
		"link/sub/b.json": {"link/sub/b.json"},
		"-":               {"-"},
	} {
		files, err := filesOf(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if diff := cmp.Diff(want, files); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}
