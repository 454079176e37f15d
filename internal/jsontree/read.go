// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package jsontree

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep encoding/json goes.
const maxDepth = 10000

// Read reads one JSON value. The error is encoding/json's.
func Read(in []byte) (Value, error) { return new(Memory).Read(in) }

// Memory is room for one tree after another. It is not for several goroutines at
// once.
type Memory struct{ open, room []Value }

// Read is the function Read into this memory: what it returns is good until it
// reads again. The strings stay.
func (m *Memory) Read(in []byte) (Value, error) {
	m.room = slices.Grow(m.room[:0], mostItems(in))
	r := reader{text: string(in), open: m.open[:0], room: m.room[:cap(m.room)]}
	v := r.value(0)
	m.open = r.open
	if r.next(); !r.failed && r.at == len(r.text) {
		return v, nil
	}
	if err := json.Unmarshal(in, new(any)); err != nil {
		return Value{}, err //nolint:wrapcheck // it is the answer
	}
	return Value{}, errors.New("the JSON cannot be read") // a fault of this reader
}

// mostItems is how many items all lists and objects can hold: each has one more
// than commas.
func mostItems(in []byte) int {
	return bytes.Count(in, []byte{','}) + bytes.Count(in, []byte{'{'}) + bytes.Count(in, []byte{'['})
}

// reader reads from left to right. Where the text is no JSON it fails and goes
// to the end.
type reader struct {
	text   string
	at     int
	failed bool
	open   []Value // the items so far of the lists and objects that are not closed yet
	room   []Value // for those of the others: one piece of memory for all
}

func (r *reader) fail() Value {
	r.at, r.failed = len(r.text), true
	return Value{}
}

// next skips blanks and returns the byte that stands there, or 0 at the end.
func (r *reader) next() byte {
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// takes goes past the byte if it is the next one.
func (r *reader) takes(c byte) bool {
	if r.next() != c || r.at == len(r.text) {
		return false
	}
	r.at++
	return true
}

func (r *reader) value(depth int) Value {
	switch c := r.next(); {
	case c == '"':
		return Value{Kind: String, Text: r.string()}
	case c == '{' && depth < maxDepth:
		return r.object(depth + 1)
	case c == '[' && depth < maxDepth:
		return r.list(depth + 1)
	default:
		return r.literal()
	}
}

func (r *reader) object(depth int) Value {
	first := len(r.open)
	r.at++
	for !r.takes('}') {
		if len(r.open) > first && !r.takes(',') || r.next() != '"' {
			return r.fail()
		}
		key := r.string()
		if !r.takes(':') {
			return r.fail()
		}
		item := r.value(depth)
		item.Key = key
		r.open = append(r.open, item)
		if r.failed {
			return Value{}
		}
	}
	return Value{Kind: Object, Items: r.close(first)}
}

func (r *reader) list(depth int) Value {
	first := len(r.open)
	r.at++
	for !r.takes(']') {
		if len(r.open) > first && !r.takes(',') {
			return r.fail()
		}
		item := r.value(depth)
		r.open = append(r.open, item)
		if r.failed {
			return Value{}
		}
	}
	return Value{Kind: List, Items: r.close(first)}
}

// close takes the items from first on off those that are open.
func (r *reader) close(first int) []Value {
	n := copy(r.room, r.open[first:])
	closed := r.room[:n:n]
	r.open, r.room = r.open[:first], r.room[n:]
	return closed
}

// string reads a string; one with escapes, or in which bytes are no UTF-8, as
// encoding/json does.
func (r *reader) string() string {
	start, plain := r.at, true
	for r.at++; r.at < len(r.text) && r.text[r.at] != '"'; r.at++ {
		switch c := r.text[r.at]; {
		case c == '\\':
			plain = false
			r.at++
		case c < ' ' || c >= utf8.RuneSelf:
			plain = false
		}
	}
	if r.at >= len(r.text) {
		r.fail()
		return ""
	}
	r.at++
	if plain {
		return r.text[start+1 : r.at-1]
	}
	var s string
	if json.Unmarshal([]byte(r.text[start:r.at]), &s) != nil {
		r.fail()
	}
	return s
}

// literal reads a number, a boolean or null.
func (r *reader) literal() Value {
	start := r.at
	if end := strings.IndexAny(r.text[start:], ",]} \t\r\n"); end >= 0 {
		r.at += end
	} else {
		r.at = len(r.text)
	}
	switch text := r.text[start:r.at]; {
	case text == "null":
		return Value{Kind: Null}
	case text == "true" || text == "false":
		return Value{Kind: Bool, Text: text}
	case isNumber(text):
		return Value{Kind: Number, Text: text}
	}
	return r.fail()
}

func isNumber(text string) bool {
	if text != "" && text[0] != '0' && strings.Trim(text, "0123456789") == "" {
		return true
	}
	return text != "" && strings.Trim(text, "0123456789+-.eE") == "" && json.Valid([]byte(text))
}
