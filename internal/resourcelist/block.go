// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

// blockScalar is where a literal or folded string stands.
type blockScalar struct {
	open   bool
	parent int // the column of its key or dash
	column int // of its text; -1: not known yet
	blank  int // the longest blank line so far
}

func openBlock(parent int, header []byte) blockScalar {
	b := blockScalar{open: true, parent: parent, column: -1}
	if len(header) > 1 && '1' <= header[1] && header[1] <= '9' {
		b.column = parent + int(header[1]-'0')
	}
	return b
}

// take reports whether a line belongs to the block scalar. It is not regular
// if it stands between the scalar's text and its key, or if the text begins with
// a tab.
func (b *blockScalar) take(column int, body []byte) (inside, regular bool) {
	switch {
	case len(body) == 0:
		if b.column < 0 {
			b.blank = max(b.blank, column)
		}
		return true, true
	case column <= b.parent:
		b.open = false
		return false, true
	case b.column < 0:
		b.column = column
		return true, b.blank <= column && body[0] != '\t'
	default:
		return true, column >= b.column
	}
}
