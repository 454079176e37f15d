// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

// noise are the keys under which API types write an empty value that no one
// set: they are structs, not pointers.
func noise(key string) bool {
	switch key {
	case "creationTimestamp", "metadata", "resources", "status":
		return true
	}
	return false
}

// dropped reports whether a field is left out: a null, or empty noise. Other
// empty values mean something (emptyDir: {}) and stay.
func (t tape) dropped(i int) bool {
	switch v := t[i]; v.kind {
	case literal:
		return v.text == "null"
	case object:
		return noise(v.key) && t.empty(i)
	default:
		return false
	}
}

// empty reports whether a list or an object holds nothing that is written; so
// does any other value.
func (t tape) empty(i int) bool {
	for range t.items(i) {
		return false
	}
	return true
}

// items yields what is written of a list or an object.
func (t tape) items(i int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for child := range t.children(i) {
			if t[i].kind == object && t.dropped(child) {
				continue
			}
			if !yield(child) {
				return
			}
		}
	}
}

// fields returns what is written of the root, an object: apiVersion and kind
// first, and no status, which is the server's.
func (t tape) fields() []int {
	fields := make([]int, 0, 8)
	for _, first := range []string{"apiVersion", "kind"} {
		for i := range t.items(0) {
			if t[i].key == first {
				fields = append(fields, i)
			}
		}
	}
	for i := range t.items(0) {
		switch t[i].key {
		case "apiVersion", "kind", "status":
		default:
			fields = append(fields, i)
		}
	}
	return fields
}
