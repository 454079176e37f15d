// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import "bytes"

// YAML writes the JSON of an object as people write manifests: apiVersion and
// kind first, other keys in the order of the JSON, no nulls and no empty
// metadata or resources, no status. Scripts are literal blocks, long lines are
// never folded. The JSON must be valid.
func YAML(object []byte) []byte { return Annotated(object, nil) }

// Annotated is YAML with annotations set in the object's metadata.
func Annotated(object []byte, annotations map[string]string) []byte {
	var w yamlWriter
	w.out.Grow(2 * len(object)) // indentation takes more room than JSON's marks
	w.block(annotated(tidy(readJSON(object)), annotations), 0)
	return bytes.Clone(w.out.Bytes()) // in no more room than it needs
}

type yamlWriter struct {
	out bytes.Buffer
}

// block writes a value that starts at the beginning of a line, or behind the
// dash of a list item, in the given column.
func (w *yamlWriter) block(v value, column int) {
	switch {
	case v.kind == object && len(v.items) > 0:
		for i, key := range v.keys {
			if i > 0 {
				w.indent(column)
			}
			w.out.WriteString(Scalar(key))
			w.out.WriteByte(':')
			w.under(v.items[i], column)
		}
	case v.kind == list && len(v.items) > 0:
		for i, item := range v.items {
			if i > 0 {
				w.indent(column)
			}
			w.out.WriteString("- ")
			w.item(item, column)
		}
	default:
		w.inline(v, column)
	}
}

// under writes the value of a key that stands in the given column.
func (w *yamlWriter) under(v value, column int) {
	switch {
	case v.kind == object && len(v.items) > 0:
		w.out.WriteByte('\n')
		w.indent(column + 2)
		w.block(v, column+2)
	case v.kind == list && len(v.items) > 0:
		w.out.WriteByte('\n')
		w.indent(column)
		w.block(v, column)
	default:
		w.out.WriteByte(' ')
		w.inline(v, column)
	}
}

// item writes what stands behind a dash in the given column.
func (w *yamlWriter) item(v value, column int) {
	if len(v.items) > 0 {
		w.block(v, column+2)
		return
	}
	w.inline(v, column)
}

// inline writes a scalar or an empty value, and ends the line. A literal block
// is indented from the column of its key or dash.
func (w *yamlWriter) inline(v value, column int) {
	switch {
	case v.kind == object:
		w.out.WriteString("{}")
	case v.kind == list:
		w.out.WriteString("[]")
	case v.kind == literal:
		w.out.WriteString(v.text)
	case canBeBlock(v.text):
		w.literal(v.text, column+2)
		return
	default:
		w.out.WriteString(Scalar(v.text))
	}
	w.out.WriteByte('\n')
}

func (w *yamlWriter) indent(column int) {
	for range column {
		w.out.WriteByte(' ')
	}
}
