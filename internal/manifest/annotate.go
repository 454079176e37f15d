// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"maps"
	"slices"

	"github.com/trainyard/trainyard/internal/jsontree"
)

// annotate sets annotations in an object's metadata, if it has any metadata, and
// puts all that are there into the order of their keys.
func annotate(object *jsontree.Value, annotations map[string]string) {
	metadata := object.At("metadata")
	if len(annotations) == 0 || metadata.Kind != jsontree.Object {
		return
	}
	all := maps.Clone(annotations)
	for _, there := range metadata.At("annotations").Items {
		if _, given := all[there.Key]; !given {
			all[there.Key] = there.Text
		}
	}
	items := make([]jsontree.Value, 0, len(all))
	for _, key := range slices.Sorted(maps.Keys(all)) {
		items = append(items, jsontree.Value{Kind: jsontree.String, Key: key, Text: all[key]})
	}
	set(metadata, jsontree.Value{Kind: jsontree.Object, Key: "annotations", Items: items})
}

// set puts a field into the place that it has in an object, or behind the others.
func set(object *jsontree.Value, field jsontree.Value) {
	if there := object.At(field.Key); there.Kind != jsontree.Missing {
		*there = field
		return
	}
	object.Items = append(object.Items, field)
}
