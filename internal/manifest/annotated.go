// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"maps"
	"slices"
)

// annotated writes the fields of an object's metadata with the annotations that
// it is given.
func (w *yamlWriter) annotated(metadata, column int) {
	all := maps.Clone(w.annotations)
	done := false
	for field := range w.tape.items(metadata) {
		if w.tape[field].key != "annotations" {
			w.field(field, column)
			continue
		}
		for there := range w.tape.items(field) {
			if _, given := all[w.tape[there].key]; !given {
				all[w.tape[there].key] = w.tape[there].text
			}
		}
		w.mapping("annotations", all, column)
		done = true
	}
	if !done {
		w.mapping("annotations", all, column)
	}
}

// mapping writes a field that holds strings, in the order of their keys.
func (w *yamlWriter) mapping(name string, values map[string]string, column int) {
	w.key(name, column)
	w.out = append(w.out, '\n')
	for _, key := range slices.Sorted(maps.Keys(values)) {
		w.key(key, column+2)
		w.out = append(w.out, ' ')
		w.text(values[key], column+2)
	}
}
