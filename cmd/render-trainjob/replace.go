// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"os"
	"path/filepath"
)

// replaceFile gives a file another text at once: a run that is stopped, or a disk
// that is full, leaves the old one.
func replaceFile(file string, text []byte) error {
	target, err := filepath.EvalSymlinks(file)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(target), ".render-trainjob-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temporary.Name()) }() // it is gone once it has become the file
	_, err = temporary.Write(text)
	if err := errors.Join(err, temporary.Chmod(info.Mode().Perm()), temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), target)
}
