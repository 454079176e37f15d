// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"bytes"
	"unicode/utf8"
)

// level is an open mapping or list, and the column of its keys or dashes.
type level struct {
	column int
	list   bool
}

// entry is a key or a list item that the scanner met.
type entry struct {
	offset int     // of the line, or of the comments above it
	dashed bool    // the line begins a list item
	levels []level // what is open behind the line's dashes; valid during the call
	content
}

// scanner walks over a text of regular block YAML.
type scanner struct {
	levels  []level
	child   bool // the last line ended in a key without a value
	comment int  // offset of the comments above the next line; -1: none
	block   blockScalar
}

// blockScalar is where a literal or folded string stands.
type blockScalar struct {
	open   bool
	parent int // the column of its key or dash
	column int // of its text; -1: not known yet
	blank  int // the longest blank line so far
}

// scan calls visit for each line that begins a key or a list item. It returns
// false as soon as it meets a line that is not regular.
func scan(in []byte, visit func(entry) bool) bool {
	if !regularBytes(in) {
		return false
	}
	s := scanner{levels: []level{{}}, comment: -1}
	for start := 0; start < len(in); {
		end := start + bytes.IndexByte(in[start:], '\n')
		if !s.line(in[start:end], start, visit) {
			return false
		}
		start = end + 1
	}
	return true
}

// regularBytes reports whether a text ends with a newline and has no control
// characters, no byte order mark and none of Unicode's line breaks.
func regularBytes(in []byte) bool {
	if len(in) == 0 || in[len(in)-1] != '\n' || !utf8.Valid(in) {
		return false
	}
	for _, c := range in {
		if c < ' ' && c != '\n' && c != '\t' || c == 0x7F {
			return false
		}
	}
	for _, odd := range []string{"\u0085", "\u2028", "\u2029", "\uFEFF", "\uFFFE", "\uFFFF"} {
		if bytes.Contains(in, []byte(odd)) {
			return false
		}
	}
	return true
}

func (s *scanner) line(line []byte, offset int, visit func(entry) bool) bool {
	column := leadingSpaces(line)
	body := bytes.TrimRight(line[column:], " ")
	if s.block.open {
		if inside, ok := s.block.take(column, len(body) == 0); inside || !ok {
			return ok
		}
	}
	switch {
	case len(body) == 0:
		return true
	case bytes.IndexByte(body, '\t') >= 0:
		return false
	case body[0] == '#':
		if s.comment < 0 {
			s.comment = offset
		}
		return true
	}
	if s.comment >= 0 {
		offset, s.comment = s.comment, -1
	}
	return s.entry(body, column, offset, visit)
}

// entry reads the dashes and the content of a line.
func (s *scanner) entry(body []byte, column, offset int, visit func(entry) bool) bool {
	e := entry{offset: offset}
	parent := column
	for len(body) > 0 && body[0] == '-' && (len(body) == 1 || body[1] == ' ') {
		if !s.enter(column, true) {
			return false
		}
		e.dashed, s.child, parent = true, true, column
		rest := bytes.TrimLeft(body[1:], " ")
		column += len(body) - len(rest)
		body = rest
	}
	if e.dashed && (len(body) == 0 || body[0] == '#') { // the item stands below
		e.levels, e.child = s.levels, true
		return visit(e)
	}
	var ok bool
	if e.content, ok = parseContent(body); !ok {
		return false
	}
	if e.key != nil {
		if !s.enter(column, false) {
			return false
		}
		parent = column
	} else if !e.dashed {
		return false
	}
	s.child = e.child
	if e.block {
		s.block = openBlock(parent, e.value)
	}
	e.levels = s.levels
	return visit(e)
}

// enter makes the mapping or list in a column the innermost open one. It
// returns false if none can stand there.
func (s *scanner) enter(column int, list bool) bool {
	top := s.levels[len(s.levels)-1]
	if s.child && (column > top.column || list && !top.list && column == top.column) {
		s.levels = append(s.levels, level{column, list})
		s.child = false
		return true
	}
	for top.column > column || top.column == column && top.list && !list {
		if len(s.levels) == 1 {
			return false
		}
		s.levels = s.levels[:len(s.levels)-1]
		top = s.levels[len(s.levels)-1]
	}
	s.child = false
	return top.column == column && top.list == list
}

func openBlock(parent int, header []byte) blockScalar {
	b := blockScalar{open: true, parent: parent, column: -1}
	if len(header) > 1 && '1' <= header[1] && header[1] <= '9' {
		b.column = parent + int(header[1]-'0')
	}
	return b
}

// take reports whether a line belongs to the block scalar. It is not regular
// if it stands between the scalar's text and its key.
func (b *blockScalar) take(column int, blank bool) (inside, regular bool) {
	switch {
	case blank:
		if b.column < 0 {
			b.blank = max(b.blank, column)
		}
		return true, true
	case column <= b.parent:
		b.open = false
		return false, true
	case b.column < 0:
		b.column = column
		return true, b.blank <= column
	default:
		return true, column >= b.column
	}
}
