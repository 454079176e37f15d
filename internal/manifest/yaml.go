// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"sync"
)

// YAML writes the JSON of an object as people write manifests: apiVersion and
// kind first, other keys in the order of the JSON, no nulls and no empty
// metadata or resources, no status. Scripts are literal blocks, long lines are
// never folded. The JSON must be valid.
func YAML(object []byte) []byte { return Annotated(object, nil) }

// Annotated is YAML with annotations set in the object's metadata.
func Annotated(object []byte, annotations map[string]string) []byte {
	w, _ := writers.Get().(*yamlWriter) // there is nothing else in the pool
	defer writers.Put(w)
	r := jsonReader{in: string(object), tape: w.tape[:0]}
	r.value("")
	w.tape, w.out, w.annotations = r.tape, w.out[:0], annotations
	w.document()
	return bytes.Clone(w.out) // in no more room than it needs
}

// writers are kept from one object to the next for the memory that they have.
var writers = sync.Pool{New: func() any { return &yamlWriter{} }}

type yamlWriter struct {
	tape        tape
	out         []byte
	annotations map[string]string
}

func (w *yamlWriter) document() {
	if w.tape[0].kind != object || w.tape.empty(0) {
		w.block(0, 0)
		return
	}
	for _, i := range w.tape.fields() {
		if len(w.annotations) > 0 && w.tape[i].key == "metadata" {
			w.key("metadata", 0)
			w.out = append(w.out, '\n')
			w.annotated(i, 2)
			continue
		}
		w.field(i, 0)
	}
}

// block writes a value that starts at the beginning of a line, or behind the
// dash of a list item, in the given column.
func (w *yamlWriter) block(i, column int) {
	switch v := w.tape[i]; {
	case w.tape.empty(i):
		w.inline(v, column)
	case v.kind == object:
		for field := range w.tape.items(i) {
			w.field(field, column)
		}
	default:
		for item := range w.tape.children(i) {
			w.indent(column)
			w.out = append(w.out, "- "...)
			w.item(item, column)
		}
	}
}

// field writes a key in the given column, and its value.
func (w *yamlWriter) field(i, column int) {
	v := w.tape[i]
	w.key(v.key, column)
	switch {
	case w.tape.empty(i):
		w.out = append(w.out, ' ')
		w.inline(v, column)
	case v.kind == object:
		w.out = append(w.out, '\n')
		w.block(i, column+2)
	default:
		w.out = append(w.out, '\n')
		w.block(i, column)
	}
}

// item writes what stands behind a dash in the given column.
func (w *yamlWriter) item(i, column int) {
	if w.tape.empty(i) {
		w.inline(w.tape[i], column)
		return
	}
	w.block(i, column+2)
}

// inline writes a scalar or an empty value, and ends the line.
func (w *yamlWriter) inline(v value, column int) {
	switch v.kind {
	case object:
		w.out = append(w.out, "{}\n"...)
	case list:
		w.out = append(w.out, "[]\n"...)
	case literal:
		w.out = append(append(w.out, v.text...), '\n')
	default:
		w.text(v.text, column)
	}
}

// text writes a string. A literal block is indented from the column of its key
// or dash.
func (w *yamlWriter) text(s string, column int) {
	if canBeBlock(s) {
		w.literal(s, column+2)
		return
	}
	w.out = append(append(w.out, Scalar(s)...), '\n')
}

func (w *yamlWriter) key(key string, column int) {
	w.indent(column)
	w.out = append(append(w.out, Scalar(key)...), ':')
}

// indent goes to a column if a line begins here.
func (w *yamlWriter) indent(column int) {
	if n := len(w.out); n == 0 || w.out[n-1] == '\n' {
		w.spaces(column)
	}
}

func (w *yamlWriter) spaces(n int) {
	for range n {
		w.out = append(w.out, ' ')
	}
}
