// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// beginLiteral notes that the lines below are the text of the vacant value. A
// folded block, and one that says its indentation, is the library's to read.
func (b *treeBuilder) beginLiteral(e entry) bool {
	if e.value[0] != '|' || len(e.value) > 1 && e.value[1] <= '9' && e.value[1] >= '0' {
		return false
	}
	b.literal, b.vacant, b.text = b.vacant, nil, e.below
	b.literal.Tag, b.literal.Style = "!!str", yaml.LiteralStyle
	b.literal.Value = string(e.value[1:]) // what is done with the line ends behind it
	b.parent = e.levels[len(e.levels)-1].column
	return true
}

// endLiteral reads the text of a literal block that ends before an offset.
func (b *treeBuilder) endLiteral(end int) {
	if b.literal != nil {
		b.literal.Value = literal(b.in[b.text:end], b.parent, b.literal.Value)
		b.literal = nil
	}
}

// literal returns the text of a block whose key or dash stands in the column
// parent: up to the first line that is not within it, without its indentation.
// Of the newlines at its end none are kept with "-", all with "+", else one.
func literal(lines []byte, parent int, keep string) string {
	text := make([]byte, 0, len(lines))
	column, end := 0, 0 // 0: not known yet
	for line := range bytes.Lines(lines) {
		spaces := leadingSpaces(line)
		blank := len(line) == spaces+1
		if blank && (column == 0 || spaces <= column) {
			text = append(text, '\n')
			continue
		}
		if !blank && spaces <= parent { // a comment behind the block
			break
		}
		if column == 0 {
			column = spaces
		}
		text = append(text, line[column:]...)
		end = len(text)
	}
	switch {
	case keep == "+":
		return string(text)
	case keep == "-" && end > 0:
		end--
	}
	return string(text[:end])
}
