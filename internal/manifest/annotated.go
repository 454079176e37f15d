// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"maps"
	"slices"
)

// annotated sets annotations of an object that has metadata, and sorts them.
func annotated(root value, annotations map[string]string) value {
	metadata := slices.Index(root.keys, "metadata")
	if len(annotations) == 0 || metadata < 0 {
		return root
	}
	all := value{kind: object}
	if there := root.items[metadata].field("annotations"); there != nil {
		all = *there
	}
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		all.set(key, value{kind: text, text: annotations[key]})
	}
	root.items[metadata].set("annotations", all.sorted())
	return root
}

func (v *value) field(key string) *value {
	if i := slices.Index(v.keys, key); i >= 0 {
		return &v.items[i]
	}
	return nil
}

// set replaces the value of a key, or adds the key at the end.
func (v *value) set(key string, to value) {
	if there := v.field(key); there != nil {
		*there = to
		return
	}
	v.keys, v.items = append(v.keys, key), append(v.items, to)
}

func (v *value) sorted() value {
	sorted := value{kind: object, keys: slices.Sorted(slices.Values(v.keys))}
	for _, key := range sorted.keys {
		sorted.items = append(sorted.items, *v.field(key))
	}
	return sorted
}
