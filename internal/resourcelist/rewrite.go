// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"bytes"
)

// Rewrite puts an edited item into the text of its file and leaves all other
// lines as they are. It returns false if the item is no document of its own,
// but stands in a list.
func Rewrite(file []byte, was, is *Item) ([]byte, bool) {
	end := []byte("\n")
	if bytes.Contains(file, []byte("\r\n")) {
		end = []byte("\r\n")
	}
	lines := bytes.SplitAfter(bytes.TrimPrefix(file, []byte("\uFEFF")), end)
	old := bytes.SplitAfter(was.Text(), []byte("\n"))
	if len(old[len(old)-1]) > 0 {
		old = append(old, nil) // as behind a line that ends
	}
	first := was.Position.Line - 1
	if first < 0 || first+len(old) > len(lines)+1 || !sameLines(lines[first:min(first+len(old), len(lines))], old) {
		return file, false
	}
	edited := bytes.ReplaceAll(is.Text(), []byte("\n"), end)
	if separator := lines[first]; bytes.HasPrefix(separator, []byte("---")) {
		edited = append([]byte("---"), edited[3:]...)
	}
	out := bytes.Join(lines[:first], nil)
	out = append(out, edited...)
	return append(out, bytes.Join(lines[min(first+len(old)-1, len(lines)):], nil)...), true
}

// sameLines compares lines of a file with those of a document that was cut out
// of it: its separator has become blank, and its line ends are plain.
func sameLines(file, document [][]byte) bool {
	for i := range file {
		line := bytes.TrimRight(file[i], "\r\n")
		if i == 0 && bytes.HasPrefix(line, []byte("---")) {
			line = append([]byte("   "), line[3:]...)
		}
		if i < len(document)-1 && !bytes.Equal(line, bytes.TrimRight(document[i], "\n")) {
			return false
		}
	}
	return true
}
