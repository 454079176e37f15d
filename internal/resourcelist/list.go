// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/trainyard/trainyard/internal/manifest"
)

// Kind is the kind of the list that hosts hand to a function.
const Kind = "ResourceList"

// List is a ResourceList.
type List struct {
	Items          []*Item
	FunctionConfig *Item // nil: none

	before, after []byte // what stands around the items
	open          []byte // the line of the items' key, and what stands above the first item
	column        int    // of the items' dashes
}

// Parse reads a ResourceList. Results of an earlier run are left out: they
// belong to that run.
func Parse(in []byte) (*List, error) {
	if len(bytes.TrimSpace(in)) == 0 {
		return nil, errors.New("the input is empty; a ResourceList is wanted")
	}
	if list, ok, err := cut(in); ok || err != nil {
		return list, err
	}
	return parseWhole(in)
}

// Bytes is what Write writes.
func (l *List) Bytes(items []*Item, results []byte) []byte {
	var out bytes.Buffer
	_ = l.Write(&out, items, results) // a buffer takes everything
	return out.Bytes()
}

// Write writes the list with the given items, and with results, the YAML of a
// list from column 0, unless that is empty.
func (l *List) Write(w io.Writer, items []*Item, results []byte) error {
	out := bufio.NewWriterSize(w, 64<<10) // which keeps the first error for Flush
	l.write(out, items, results)
	return out.Flush()
}

func (l *List) write(out *bufio.Writer, items []*Item, results []byte) {
	out.Write(l.before)
	switch {
	case len(items) == 0:
		out.WriteString("items: []\n")
	case len(l.open) > 0:
		out.Write(l.open)
	default:
		out.WriteString("items:\n")
	}
	for _, item := range items {
		if item.raw != nil && item.column == l.column {
			out.Write(item.raw)
			continue
		}
		writeListed(out, item.Text(), l.column)
	}
	out.Write(l.after)
	if len(results) > 0 {
		out.WriteString("results:\n")
		out.Write(results)
	}
}

// writeListed writes an object's text as a list item: indented, and a dash
// before its first line, also if that is a comment, as kpt has it.
func writeListed(out *bufio.Writer, text []byte, column int) {
	dash := "- "
	indent := bytes.Repeat([]byte(" "), column+2)
	for line := range bytes.Lines(text) {
		switch blank := len(bytes.TrimRight(line, "\n")) == 0; {
		case blank:
		case dash != "":
			out.Write(indent[2:])
			out.WriteString(dash)
			dash = ""
		default:
			out.Write(indent)
		}
		out.Write(line)
	}
	if !bytes.HasSuffix(text, []byte("\n")) {
		out.WriteByte('\n')
	}
}

// config reads the functionConfig from its section of the list.
func config(section []byte) (*Item, error) {
	root, err := manifest.Parse(section)
	if err != nil {
		return nil, fmt.Errorf("read functionConfig: %w", err)
	}
	value := manifest.Field(root, "functionConfig")
	if value == nil || value.ShortTag() == "!!null" {
		return nil, nil
	}
	return fromNode(value)
}
