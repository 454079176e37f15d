// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
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

const trainerModule = "github.com/kubeflow/trainer/v2"

// refresh rewrites the generated files of the repository at root.
func refresh(root string) error {
	trainer, err := locate(trainerModule)
	if err != nil {
		return err
	}
	runtimes, err := runtimeFiles(trainer)
	if err != nil {
		return err
	}
	crds, schemas, err := crdFiles()
	if err != nil {
		return err
	}
	return errors.Join(
		replace(filepath.Join(root, "runtimes"), runtimes),
		replace(filepath.Join(root, "deploy/crds"), crds),
		replace(filepath.Join(root, "schemas"), schemas),
	)
}

// replace makes the generated files of a folder the given ones: what upstream
// no longer has goes away, and what was written by hand stays.
func replace(folder string, files map[string][]byte) error {
	old, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range old {
		if entry.IsDir() {
			continue
		}
		path := filepath.Join(folder, entry.Name())
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, kept := files[entry.Name()]; kept || !bytes.Contains(text[:min(len(text), 200)], []byte(generatedMark)) {
			continue
		}
		if err := os.Remove(path); err != nil {
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
