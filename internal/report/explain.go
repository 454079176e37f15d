// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
)

// Explained is an object as it is put out, with what is known of its lines.
type Explained struct {
	Text    []byte        // YAML
	Note    string        // a line above it; may be empty
	Leaves  []render.Leaf // who set each leaf; none: it was not rendered here
	Place   func(source render.Source, path string) finding.Position
	BuiltIn bool // the runtime is in no file
}

// widest is the column up to which comments move so that they stand below each
// other. Behind a longer line the comment follows at once.
const widest = 72

// Explain writes the objects with a comment on each line that says who set it.
// What it writes reads as the same YAML. Colours, one for each kind of owner,
// are for terminals.
func Explain(w io.Writer, objects []Explained, colour bool) error {
	var out bytes.Buffer
	for i, object := range objects {
		if i > 0 {
			out.WriteString("---\n")
		}
		if object.Note != "" {
			out.WriteString("# " + object.Note + "\n")
		}
		if err := object.write(&out, colour); err != nil {
			return err
		}
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write the explanation: %w", err)
	}
	return nil
}

func (e Explained) write(out *bytes.Buffer, colour bool) error {
	comments, err := e.comments()
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(string(e.Text), "\n"), "\n")
	column := column(lines, comments)
	for i, line := range lines {
		out.WriteString(line)
		if c, ok := comments[i+1]; ok {
			out.WriteString(strings.Repeat(" ", max(column-utf8.RuneCountInString(line), 2)))
			out.WriteString(c.paint("# "+c.text, colour))
		}
		out.WriteByte('\n')
	}
	return nil
}

// column is where the comments begin.
func column(lines []string, comments map[int]comment) int {
	column := 0
	for i, line := range lines {
		if width := utf8.RuneCountInString(line) + 2; width <= widest && comments[i+1].text != "" {
			column = max(column, width)
		}
	}
	return column
}

// comment is what is said of a line.
type comment struct {
	owner
	text string
}

// comments are those of the lines, counted from 1. The line of a leaf names who
// set it, the line of a field with leaves below it who set all of them.
func (e Explained) comments() (map[int]comment, error) {
	root, err := manifest.Parse(e.Text)
	if err != nil {
		return nil, err
	}
	comments := map[int]comment{}
	above := map[string][]render.Leaf{}
	for _, leaf := range e.Leaves {
		comments[manifest.Line(root, leaf.Path)] = comment{ownerOf(leaf.Source), e.describe(leaf)}
		for _, path := range manifest.Ancestors(leaf.Path) {
			above[path] = append(above[path], leaf)
		}
	}
	for path, leaves := range above {
		line := manifest.Line(root, path)
		switch _, taken := comments[line]; {
		case taken:
		case oneSource(leaves):
			comments[line] = comment{ownerOf(leaves[0].Source), e.name(leaves[0].Source, path)}
		default:
			comments[line] = comment{byRule, "several"}
		}
	}
	return comments, nil
}

func oneSource(leaves []render.Leaf) bool {
	for _, leaf := range leaves {
		if leaf.Source != leaves[0].Source {
			return false
		}
	}
	return true
}

// describe says who set a leaf, and whom that overrode.
func (e Explained) describe(leaf render.Leaf) string {
	words := []string{e.name(leaf.Source, leaf.Path)}
	over := "over "
	for _, earlier := range slices.Backward(leaf.Overridden) {
		words = append(words, fmt.Sprintf("%s%s (%s)", over, earlier.Source, brief(earlier.Value)))
		over = ""
	}
	return strings.Join(words, ", ")
}

func (e Explained) name(source render.Source, path string) string {
	if where := e.where(source, path); where != "" {
		return fmt.Sprintf("%s (%s)", source, where)
	}
	return source.String()
}

// where is the place of a source's object, as far as there is one.
func (e Explained) where(source render.Source, path string) string {
	if where := place(e.Place(source, path)); where != "" {
		return where
	}
	if e.BuiltIn && ownerOf(source) == byRuntime {
		return "built in"
	}
	return ""
}
