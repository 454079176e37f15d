// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"encoding/json"
	"strings"
)

// kind says what a JSON value is.
type kind int

const (
	literal kind = iota // a number, true, false, null: text as written
	text                // a string: text is its value
	list
	object
)

// value is a JSON value. Those that it holds stand behind it on the tape.
type value struct {
	kind kind
	key  string // in an object
	text string
	next int // the index of the value behind all that this one holds
}

// tape holds the values of a JSON text in their order: one block of memory for
// a whole object.
type tape []value

// children yields the indexes of what a list or an object holds.
func (t tape) children(i int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for child := i + 1; child < t[i].next && yield(child); child = t[child].next {
		}
	}
}

// jsonReader reads valid JSON, as json.Marshal writes it.
type jsonReader struct {
	in   string // of which the strings are parts
	pos  int
	tape tape
}

func (r *jsonReader) value(key string) {
	c := r.next()
	i := len(r.tape)
	r.tape = append(r.tape, value{key: key})
	switch c {
	case '{':
		r.tape[i].kind = object
		r.object()
	case '[':
		r.tape[i].kind = list
		r.list()
	case '"':
		r.tape[i].kind, r.tape[i].text = text, r.string()
	default:
		r.tape[i].text = r.literal()
	}
	r.tape[i].next = len(r.tape)
}

// next skips blanks and returns the byte that stands there.
func (r *jsonReader) next() byte {
	for r.pos < len(r.in) && strings.IndexByte(" \t\r\n", r.in[r.pos]) >= 0 {
		r.pos++
	}
	if r.pos == len(r.in) {
		return 0
	}
	return r.in[r.pos]
}

func (r *jsonReader) object() {
	for r.pos++; r.next() == '"' || r.next() == ','; {
		if r.in[r.pos] == ',' {
			r.pos++
			continue
		}
		key := r.string()
		r.next()
		r.pos++ // the colon
		r.value(key)
	}
	r.pos++
}

func (r *jsonReader) list() {
	for r.pos++; r.next() != ']' && r.next() != 0; {
		if r.in[r.pos] == ',' {
			r.pos++
			continue
		}
		r.value("")
	}
	r.pos++
}

func (r *jsonReader) literal() string {
	start := r.pos
	for r.pos < len(r.in) && strings.IndexByte(",]} \t\r\n", r.in[r.pos]) < 0 {
		r.pos++
	}
	return r.in[start:r.pos]
}

func (r *jsonReader) string() string {
	start, escaped := r.pos, false
	for r.pos++; r.pos < len(r.in) && r.in[r.pos] != '"'; r.pos++ {
		if r.in[r.pos] == '\\' {
			escaped = true
			r.pos++
		}
	}
	r.pos++
	if !escaped {
		return r.in[start+1 : r.pos-1]
	}
	var s string
	_ = json.Unmarshal([]byte(r.in[start:r.pos]), &s) // valid: json.Marshal wrote it
	return s
}
