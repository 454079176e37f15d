// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/render/finding"
)

// Item is one object of a list or a file: its text, and what can be told
// without decoding it.
type Item struct {
	Ref      finding.Ref
	Position finding.Position  // File and Index where the host tells them; Line of the text's first line, of files only
	Doubts   []finding.Finding // why nobody can tell what the object is; their lines count from the text's first

	raw    []byte // as it stands in the list, with its dash and the comments above; nil: not from a regular list
	column int    // of that dash
	text   []byte // the object alone, from column 0; nil until someone asks
	root   *yaml.Node
}

// New returns an item of a text that starts at column 0.
func New(ref finding.Ref, text []byte) *Item { return &Item{Ref: ref, text: text} }

// Object returns the item of an object's text; nil if the text holds nothing but
// comments.
func Object(text []byte) (*Item, error) {
	object := identifier{}
	if scan(text, func(e entry) bool { return object.visit(e, 0) }) && identified(object.ref) {
		return New(object.ref, text), nil
	}
	root, err := manifest.Parse(text)
	if err != nil || root == nil {
		return nil, err
	}
	return &Item{Ref: refOf(root), Doubts: doubts(root), text: text, root: root}, nil
}

// With returns the item with another text.
func (i *Item) With(text []byte) *Item {
	return &Item{Ref: i.Ref, Position: i.Position, Doubts: i.Doubts, text: text}
}

// Group returns the API group of the object.
func (i *Item) Group() string {
	group, _, found := strings.Cut(i.Ref.APIVersion, "/")
	if !found {
		return ""
	}
	return group
}

// Mentions reports whether a word stands anywhere in the item's text.
func (i *Item) Mentions(word string) bool {
	return bytes.Contains(i.raw, []byte(word)) || bytes.Contains(i.text, []byte(word))
}

// Text returns the object's text from column 0.
func (i *Item) Text() []byte {
	if i.text == nil && i.raw != nil {
		i.text = dedent(i.raw)
	}
	return i.text
}

// Root returns the parsed object, which need not have its comments.
func (i *Item) Root() (*yaml.Node, error) {
	if i.root != nil {
		return i.root, nil
	}
	root, regular := tree(i.Text())
	if !regular {
		var err error
		if root, err = manifest.Parse(i.Text()); err != nil {
			return nil, err
		}
	}
	i.root = root
	return root, nil
}

// Broken says why Root fails. The text is read once more, below as many lines as
// there are above it, so that the error tells the file's line.
func (i *Item) Broken() finding.Finding {
	above := max(i.Position.Line-1, 0)
	_, err := manifest.Parse(append(bytes.Repeat([]byte("\n"), above), i.Text()...))
	f := finding.Errorf(finding.YAMLSyntax, "", "%v", err)
	f.Position.Line = max(lineOf(f.Message)-above, 0)
	return f
}

// Forget drops the parsed object, which takes ten times the room of its text, and
// the text if it stands in the list too. Who asks again has them made again.
func (i *Item) Forget() {
	i.root = nil
	if i.raw != nil {
		i.text = nil
	}
}

// Annotation returns the value of an annotation; empty if there is none or the
// item can't be read.
func (i *Item) Annotation(key string) string {
	if !i.Mentions(key) {
		return ""
	}
	root, err := i.Root()
	if err != nil {
		return ""
	}
	return manifest.Text(root, "metadata", "annotations", key)
}

// Label returns the value of a label; empty if there is none or the item can't
// be read.
func (i *Item) Label(key string) string {
	if !i.Mentions(key) {
		return ""
	}
	root, err := i.Root()
	if err != nil {
		return ""
	}
	return manifest.Text(root, "metadata", "labels", key)
}

// refOf reads the reference from a parsed object.
func refOf(root *yaml.Node) finding.Ref {
	return finding.Ref{
		APIVersion: manifest.Text(root, "apiVersion"),
		Kind:       manifest.Text(root, "kind"),
		Namespace:  manifest.Text(root, "metadata", "namespace"),
		Name:       manifest.Text(root, "metadata", "name"),
	}
}

// dedent takes an item out of its list: the dash becomes a space, and every
// line loses the indentation of the object's first key.
func dedent(raw []byte) []byte {
	dash := dashOf(raw)
	key := dash + 1 + leadingSpaces(raw[dash+1:])
	column := key - (bytes.LastIndexByte(raw[:dash], '\n') + 1)
	text := make([]byte, 0, len(raw))
	offset := 0
	for line := range bytes.Lines(raw) {
		if offset <= dash && dash < offset+len(line) {
			text = append(text, line[column:]...)
		} else {
			text = append(text, line[min(column, leadingSpaces(line)):]...)
		}
		offset += len(line)
	}
	return text
}

// dashOf returns the offset of the item's dash, behind the comments above it.
func dashOf(raw []byte) int {
	for start := 0; ; start += bytes.IndexByte(raw[start:], '\n') + 1 {
		at := start + leadingSpaces(raw[start:])
		if raw[at] == '-' {
			return at
		}
	}
}

func leadingSpaces(line []byte) int {
	return len(line) - len(bytes.TrimLeft(line, " "))
}
