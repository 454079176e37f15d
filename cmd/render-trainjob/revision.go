// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

// readRevision reads the objects of files and folders as they are at a git
// revision. What is not there yet has no objects.
func readRevision(ctx context.Context, rev string, paths []string) ([]*resourcelist.Item, []finding.Finding, error) {
	listing, err := git(ctx, nil, append([]string{"ls-tree", "-r", "-z", rev, "--"}, paths...)...)
	if err != nil {
		return nil, nil, err
	}
	var files, blobs []string
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(listing), "\x00"), "\x00") {
		kind, file, ok := strings.Cut(entry, "\t") // mode, type and name of the content; path
		words := strings.Fields(kind)
		if ok && len(words) == 3 && words[1] == "blob" && wanted(file, paths) {
			files, blobs = append(files, file), append(blobs, words[2])
		}
	}
	texts, err := readBlobs(ctx, blobs)
	if err != nil {
		return nil, nil, err
	}
	var items []*resourcelist.Item
	var findings []finding.Finding
	for i, text := range texts {
		found, problems := resourcelist.Documents(text, files[i])
		items, findings = append(items, found...), append(findings, problems...)
	}
	return items, findings, nil
}

// wanted: of a folder those files count that readPaths would read.
func wanted(file string, paths []string) bool {
	named := slices.ContainsFunc(paths, func(path string) bool { return filepath.Clean(path) == filepath.Clean(file) })
	hidden := slices.ContainsFunc(strings.Split(filepath.Dir(file), "/"), func(dir string) bool {
		return strings.HasPrefix(dir, ".") && strings.Trim(dir, ".") != ""
	})
	return named || isManifest(filepath.Base(file)) && !hidden
}

// readBlobs reads contents by their names.
func readBlobs(ctx context.Context, blobs []string) ([][]byte, error) {
	if len(blobs) == 0 {
		return nil, nil
	}
	answer, err := git(ctx, []byte(strings.Join(blobs, "\n")+"\n"), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	var texts [][]byte
	in := bufio.NewReader(bytes.NewReader(answer))
	for _, blob := range blobs {
		var size int
		if _, err := fmt.Fscanf(in, blob+" blob %d\n", &size); err != nil {
			return nil, fmt.Errorf("read %s from git: %w", blob, err)
		}
		text := make([]byte, size+1) // and a line's end
		if _, err := io.ReadFull(in, text); err != nil {
			return nil, fmt.Errorf("read %s from git: %w", blob, err)
		}
		texts = append(texts, text[:size])
	}
	return texts, nil
}

func git(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "git", args...)
	command.Stdin = bytes.NewReader(stdin)
	out, err := command.Output()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return nil, fmt.Errorf("git %s: %s", args[0], bytes.TrimSpace(exit.Stderr))
	case err != nil:
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return out, nil
}
