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
	place
	column int     // of its first dash, or of its key
	dashed bool    // the line begins a list item
	levels []level // what is open behind the line's dashes; valid during the call
	content
}

// place is where a line stands.
type place struct {
	offset int // of the line, or of the comments above it
	below  int // offset of the line below
	number int // counted from 1
}

// scanner walks over a text of regular block YAML.
type scanner struct {
	levels  []level
	child   bool // the last line ended in a key without a value
	comment int  // offset of the comments above the next line; -1: none
	block   blockScalar
}

// scan calls visit for each line that begins a key or a list item. It returns
// false as soon as it meets a line that is not regular.
func scan(in []byte, visit func(entry) bool) bool {
	if !regularBytes(in) {
		return false
	}
	s := scanner{levels: []level{{}}, comment: -1}
	for at := (place{number: 1}); at.offset < len(in); at = (place{offset: at.below, number: at.number + 1}) {
		end := at.offset + bytes.IndexByte(in[at.offset:], '\n')
		at.below = end + 1
		if !s.line(in[at.offset:end], at, visit) {
			return false
		}
	}
	return true
}

// regularBytes reports whether a text ends with a newline and has no control
// characters, no byte order mark and none of Unicode's line breaks.
func regularBytes(in []byte) bool {
	if len(in) == 0 || in[len(in)-1] != '\n' {
		return false
	}
	for i := 0; i < len(in); i++ {
		switch c := in[i]; {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(in[i:])
			if !regularRune(r, size) {
				return false
			}
			i += size - 1
		case c < ' ' && c != '\n' && c != '\t', c == 0x7F:
			return false
		}
	}
	return true
}

// regularRune judges a character beyond ASCII.
func regularRune(r rune, size int) bool {
	switch {
	case r < 0xA0, r == '\u2028', r == '\u2029', r == '\uFEFF', r == '\uFFFE', r == '\uFFFF':
		return false
	default:
		return r != utf8.RuneError || size > 1
	}
}

func (s *scanner) line(line []byte, at place, visit func(entry) bool) bool {
	column := leadingSpaces(line)
	body := bytes.TrimRight(line[column:], " ")
	if s.block.open {
		if inside, ok := s.block.take(column, body); inside || !ok {
			return ok
		}
	}
	switch {
	case len(body) == 0:
		return true
	case bytes.IndexByte(body, '\t') >= 0, column == 0 && separator(body, "..."):
		return false
	case body[0] == '#':
		if s.comment < 0 {
			s.comment = at.offset
		}
		return true
	}
	if s.comment >= 0 {
		at.offset, s.comment = s.comment, -1
	}
	return s.entry(body, column, at, visit)
}

// entry reads the dashes and the content of a line.
func (s *scanner) entry(body []byte, column int, at place, visit func(entry) bool) bool {
	e := entry{place: at, column: column}
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
