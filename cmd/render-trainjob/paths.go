// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

// readPaths reads the objects of files, of folders with all below them, and of
// stdin, which is called -.
func readPaths(stdin io.Reader, paths []string) ([]*resourcelist.Item, []finding.Finding, error) {
	var items []*resourcelist.Item
	var findings []finding.Finding
	read := 0
	for _, path := range paths {
		files, err := filesOf(path)
		if err != nil {
			return nil, nil, err
		}
		for _, file := range files {
			text, err := readFile(stdin, file)
			if err != nil {
				return nil, nil, err
			}
			found, problems := resourcelist.Documents(text, file)
			items, findings = append(items, found...), append(findings, problems...)
			read += len(text)
		}
	}
	const decoded = 16 // times the text, which is kept for what is printed
	paceCollector(decoded * read)
	return items, findings, nil
}

func readFile(stdin io.Reader, file string) ([]byte, error) {
	if file == "-" {
		text, err := io.ReadAll(stdin)
		if err != nil {
			return nil, fmt.Errorf("read stdin: %w", err)
		}
		return text, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read manifests: %w", err)
	}
	return text, nil
}

// filesOf returns the manifests of a path, in the order of their names.
func filesOf(path string) ([]string, error) {
	if path == "-" {
		return []string{path}, nil
	}
	root := path
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		root = strings.TrimSuffix(path, "/") + "/" // a link to a folder is walked too
	}
	var files []string
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == root && !entry.IsDir():
			files = append(files, name)
		case entry.IsDir() && name != root && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		case canEnd(entry.Type()) && isManifest(entry.Name()):
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read manifests: %w", err)
	}
	return files, nil
}

// canEnd reports whether a file, or what a link leads to, can be read to an end
// without someone who writes it.
func canEnd(kind fs.FileMode) bool {
	return kind&^fs.ModeSymlink == 0
}

// isManifest reports whether a file of a folder holds objects; what belongs to
// kustomize itself does not.
func isManifest(name string) bool {
	kustomize := []string{"kustomization.yaml", "kustomization.yml"}
	return slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name)) && !slices.Contains(kustomize, name)
}
