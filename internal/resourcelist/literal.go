// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// literal is a literal block: a string of the lines below its header.
type literal struct {
	node     *yaml.Node // nil: none is open
	parent   int        // the column of its key or dash
	start    int        // offset of its text
	chomping string     // what becomes of the newlines at its end: "-" none stays, "+" all, "" one
}

// beginLiteral makes the vacant value a literal block. A folded one, and one
// that says its indentation, is the library's to read.
func (b *treeBuilder) beginLiteral(e entry) bool {
	if e.value[0] != '|' || len(e.value) > 1 && e.value[1] <= '9' && e.value[1] >= '0' {
		return false
	}
	b.literal = literal{node: b.vacant, parent: e.levels[len(e.levels)-1].column, start: e.below, chomping: string(e.value[1:])}
	b.vacant = nil
	return true
}

// endLiteral reads the literal block that is open, which ends before an offset.
func (b *treeBuilder) endLiteral(end int) {
	if l := b.literal; l.node != nil {
		l.node.Tag, l.node.Style, l.node.Value = "!!str", yaml.LiteralStyle, l.text(b.in[l.start:end])
		b.literal = literal{}
	}
}

// text returns the lines without their indentation, up to the first that is not
// within the block.
func (l literal) text(lines []byte) string {
	text := make([]byte, 0, len(lines))
	column, end := 0, 0 // 0: not known yet
	for line := range bytes.Lines(lines) {
		spaces := leadingSpaces(line)
		blank := len(line) == spaces+1
		if blank && (column == 0 || spaces <= column) {
			text = append(text, '\n')
			continue
		}
		if !blank && spaces <= l.parent { // a comment behind the block
			break
		}
		if column == 0 {
			column = spaces
		}
		text = append(text, line[column:]...)
		end = len(text)
	}
	switch {
	case l.chomping == "+":
		return string(text)
	case l.chomping == "-" && end > 0:
		end--
	}
	return string(text[:end])
}
