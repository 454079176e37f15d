// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/trainyard/trainyard/render/policy"
)

// applied is the part of an object that a person applies: no status, and of the
// metadata what does not name the object or come from the API server.
func applied(o runtime.Object) map[string]any {
	document := tree(o)
	metadata := object(document, "metadata")
	maps.DeleteFunc(metadata, func(key string, _ any) bool { return key != "labels" && key != "annotations" })
	delete(document, "apiVersion")
	delete(document, "kind")
	return document
}

// differ appends the edits that make `is` of `was`, in the order of the keys. A
// nil value is not there.
func differ(edits []Edit, path string, was, is any) []Edit {
	switch before := was.(type) {
	case map[string]any:
		if after, ok := is.(map[string]any); ok {
			return differMaps(edits, path, before, after)
		}
	case []any:
		if after, ok := is.([]any); ok && keyed(before) && keyed(after) {
			return differLists(edits, path, before, after)
		}
	}
	if reflect.DeepEqual(was, is) || sameQuantity(path, was, is) {
		return edits
	}
	return append(edits, Edit{Path: path, Was: encoded(was), Is: encoded(is)})
}

func differMaps(edits []Edit, path string, was, is map[string]any) []Edit {
	for _, key := range slices.Sorted(maps.Keys(policy.Overlay(was, is))) {
		if metadata := key == "labels" || key == "annotations"; metadata && (was[key] == nil || is[key] == nil) {
			edits = differMaps(edits, join(path, key), object(was, key), object(is, key))
			continue
		}
		edits = differ(edits, join(path, key), was[key], is[key])
	}
	return edits
}

// differLists compares the items of the same name. Where those that stay stand
// in another order, the list itself has changed.
func differLists(edits []Edit, path string, was, is []any) []Edit {
	before, after := elements(was), elements(is)
	stay := func(names, others []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(others, name) })
	}
	if w, i := stay(before, after), stay(after, before); !slices.Equal(w, i) {
		edits = append(edits, Edit{Path: path, Was: encoded(w), Is: encoded(i)})
	}
	for i, name := range before {
		edits = differ(edits, path+name, was[i], itemOf(is, after, name))
	}
	for i, name := range after {
		if !slices.Contains(before, name) {
			edits = differ(edits, path+name, nil, is[i])
		}
	}
	return edits
}

func itemOf(list []any, names []string, name string) any {
	if i := slices.Index(names, name); i >= 0 {
		return list[i]
	}
	return nil
}

// keyed: the items of a list of objects are compared one by one; a list of
// texts, like args, is one value.
func keyed(list []any) bool {
	return !slices.ContainsFunc(list, func(item any) bool {
		_, ok := item.(map[string]any)
		return !ok
	})
}

// sameQuantity: the API compares amounts of a resource by what they are worth.
func sameQuantity(path string, was, is any) bool {
	before, ok := was.(string)
	after, okToo := is.(string)
	if !ok || !okToo || !strings.Contains(path, ".limits") && !strings.Contains(path, ".requests") {
		return false
	}
	a, err := resource.ParseQuantity(before)
	b, errToo := resource.ParseQuantity(after)
	return err == nil && errToo == nil && a.Cmp(b) == 0
}
