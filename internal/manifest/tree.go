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
	list                // items
	object              // keys and items, side by side
)

// value is a JSON value whose objects keep the order of their keys.
type value struct {
	kind  kind
	text  string
	keys  []string
	items []value
}

// readJSON reads valid JSON, as json.Marshal writes it.
func readJSON(in []byte) value {
	r := jsonReader{in: string(in)} // of which the strings are parts
	return r.value()
}

type jsonReader struct {
	in  string
	pos int
}

func (r *jsonReader) value() value {
	switch r.next() {
	case '{':
		return r.object()
	case '[':
		return r.list()
	case '"':
		return value{kind: text, text: r.string()}
	}
	start := r.pos
	for r.pos < len(r.in) && !strings.ContainsRune(",]} \t\r\n", rune(r.in[r.pos])) {
		r.pos++
	}
	return value{kind: literal, text: r.in[start:r.pos]}
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

func (r *jsonReader) object() value {
	v := value{kind: object}
	for r.pos++; r.next() == '"' || r.next() == ','; {
		if r.in[r.pos] == ',' {
			r.pos++
			continue
		}
		v.keys = append(v.keys, r.string())
		r.next()
		r.pos++ // the colon
		v.items = append(v.items, r.value())
	}
	r.pos++
	return v
}

func (r *jsonReader) list() value {
	v := value{kind: list}
	for r.pos++; r.next() != ']' && r.next() != 0; {
		if r.in[r.pos] == ',' {
			r.pos++
			continue
		}
		v.items = append(v.items, r.value())
	}
	r.pos++
	return v
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
