// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	if err := refresh("."); err != nil {
		fmt.Fprintln(os.Stderr, "refresh:", err)
		os.Exit(1)
	}
}

// refresh rewrites the generated files of the repository at root.
func refresh(root string) error {
	trainer, err := locate("github.com/kubeflow/trainer/v2")
	if err != nil {
		return err
	}
	runtimes, err := runtimeFiles(trainer)
	if err != nil {
		return err
	}
	return replace(filepath.Join(root, "runtimes"), "*.yaml", runtimes)
}

// replace makes the files of a folder that match pattern the given ones: what
// upstream no longer has goes away.
func replace(folder, pattern string, files map[string][]byte) error {
	old, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil {
		return err
	}
	for _, file := range old {
		if _, kept := files[filepath.Base(file)]; kept {
			continue
		}
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(folder, name), files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}
