// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestReplaceFile(t *testing.T) {
	folder := t.TempDir()
	file, link, copied := filepath.Join(folder, "a"), filepath.Join(folder, "link"), filepath.Join(folder, "copy")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", link); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(file, copied); err != nil { // the old text, as long as it is not written over
		t.Fatal(err)
	}
	if err := replaceFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{file: "new", link: "new", copied: "old"} {
		if text, err := os.ReadFile(name); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("the link: %v, %v", info, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode: %v, %v", info, err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 3 {
		t.Errorf("%v, %v", entries, err)
	}
	if err := replaceFile(filepath.Join(folder, "none"), nil); err == nil {
		t.Error("a file that is not there is replaced")
	}
}
