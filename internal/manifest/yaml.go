// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"sync"

	"github.com/trainyard/trainyard/internal/jsontree"
)

// YAML writes the JSON of an object as people write manifests: apiVersion and
// kind first, other keys in the order of the JSON, no nulls and no empty
// metadata or resources, no status. Scripts are literal blocks, long lines are
// never folded. What is no JSON is returned as it is.
func YAML(object []byte) []byte { return Annotated(object, nil) }

// Annotated is YAML with annotations set in the object's metadata.
func Annotated(object []byte, annotations map[string]string) []byte {
	w, _ := writers.Get().(*yamlWriter) // there is nothing else in the pool
	defer writers.Put(w)
	root, err := w.memory.Read(object)
	if err != nil {
		return object
	}
	tidy(&root)
	annotate(&root, annotations)
	w.out = w.out[:0]
	w.root(&root)
	return bytes.Clone(w.out) // in no more room than it needs
}

// writers are kept from one object to the next for the memory that they have.
var writers = sync.Pool{New: func() any { return &yamlWriter{} }}

type yamlWriter struct {
	memory jsontree.Memory
	out    []byte
}

// root writes an object without its status, which is the server's.
func (w *yamlWriter) root(object *jsontree.Value) {
	if object.Kind != jsontree.Object || len(object.Items) == 0 {
		w.block(object, 0)
		return
	}
	for _, name := range []string{"apiVersion", "kind"} {
		if first := object.At(name); first.Kind != jsontree.Missing {
			w.field(first, 0)
		}
	}
	for i := range object.Items {
		switch field := &object.Items[i]; field.Key {
		case "apiVersion", "kind", "status":
		default:
			w.field(field, 0)
		}
	}
}

// block writes a value that starts at the beginning of a line, or behind the
// dash of a list item, in the given column.
func (w *yamlWriter) block(value *jsontree.Value, column int) {
	if len(value.Items) == 0 {
		w.inline(value, column)
		return
	}
	for i := range value.Items {
		if value.Kind == jsontree.Object {
			w.field(&value.Items[i], column)
		} else {
			w.item(&value.Items[i], column)
		}
	}
}

// field writes a key in the given column, and its value.
func (w *yamlWriter) field(field *jsontree.Value, column int) {
	w.indent(column)
	w.out = append(append(w.out, Scalar(field.Key)...), ':')
	switch {
	case len(field.Items) == 0:
		w.out = append(w.out, ' ')
		w.inline(field, column)
	case field.Kind == jsontree.Object:
		w.out = append(w.out, '\n')
		w.block(field, column+2)
	default:
		w.out = append(w.out, '\n')
		w.block(field, column)
	}
}

// item writes a dash in the given column, and what stands behind it.
func (w *yamlWriter) item(item *jsontree.Value, column int) {
	w.indent(column)
	w.out = append(w.out, "- "...)
	if len(item.Items) == 0 {
		w.inline(item, column)
		return
	}
	w.block(item, column+2)
}

// inline writes a scalar or an empty value, and ends the line. A literal block is
// indented from the column of its key or dash.
func (w *yamlWriter) inline(value *jsontree.Value, column int) {
	switch {
	case value.Kind != jsontree.String:
		w.out = append(value.AppendJSON(w.out), '\n')
	case canBeBlock(value.Text):
		w.literal(value.Text, column+2)
	default:
		w.out = append(append(w.out, Scalar(value.Text)...), '\n')
	}
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
