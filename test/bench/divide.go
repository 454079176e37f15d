// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// portion is how many objects stand in a file for kubeconform, which reads no
// more than 4 MB of one.
const portion = 500

// divide writes the documents of a file into files of a folder, so many to each.
// It holds one line at a time: what this program takes, its children seem to.
func divide(file, folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("divide %s: %w", file, err)
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		return fmt.Errorf("divide %s: %w", file, err)
	}
	in, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("divide: %w", err)
	}
	defer func() { _ = in.Close() }() // it was only read
	d := divided{folder: folder}
	for lines := bufio.NewReader(in); ; {
		line, end := lines.ReadString('\n')
		if err := d.write(line); err != nil {
			return fmt.Errorf("divide %s: %w", file, err)
		}
		if end != nil { // of the file
			return d.close()
		}
	}
}

// divided is the file that is being written.
type divided struct {
	folder    string
	documents int
	file      *os.File
	buffer    *bufio.Writer
}

func (d *divided) write(line string) error {
	first := d.file == nil
	if first || strings.HasPrefix(line, "---") {
		d.documents++
	}
	if first || strings.HasPrefix(line, "---") && d.documents%portion == 0 {
		if err := d.open(); err != nil {
			return err
		}
	}
	_, err := d.buffer.WriteString(line)
	return err
}

func (d *divided) open() (err error) {
	if err := d.close(); err != nil {
		return err
	}
	d.file, err = os.Create(filepath.Join(d.folder, fmt.Sprintf("%05d.yaml", d.documents/portion)))
	d.buffer = bufio.NewWriter(d.file)
	return err
}

func (d *divided) close() error {
	if d.file == nil {
		return nil
	}
	if err := d.buffer.Flush(); err != nil {
		return err
	}
	return d.file.Close()
}
