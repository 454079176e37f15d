// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"encoding/json"
	"maps"
	"slices"

	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// shrink takes out of a JobSet all that it can spare and still be bad.
func shrink(js *jobset.JobSet, bad func(*jobset.JobSet) bool) *jobset.JobSet {
	for {
		smaller, ok := shrinkOnce(js, bad)
		if !ok {
			return js
		}
		js = smaller
	}
}

// shrinkOnce finds one thing to take out, the largest first.
func shrinkOnce(js *jobset.JobSet, bad func(*jobset.JobSet) bool) (*jobset.JobSet, bool) {
	tree, whole := treeOf(js), size(js)
	var found *jobset.JobSet
	eachWithout(tree, func() bool {
		smaller := &jobset.JobSet{}
		raw, err := json.Marshal(tree)
		// What comes back by itself was not taken out.
		if err == nil && json.Unmarshal(raw, smaller) == nil && size(smaller) < whole && bad(smaller) {
			found = smaller
		}
		return found == nil
	})
	return found, found != nil
}

func treeOf(js *jobset.JobSet) map[string]any {
	var tree map[string]any
	if err := json.Unmarshal(encoded(js), &tree); err != nil {
		panic(err)
	}
	return tree
}

func size(js *jobset.JobSet) int { return len(encoded(treeOf(js))) }

func encoded(data any) []byte {
	raw, err := json.Marshal(data)
	if err != nil {
		panic(err) // a JobSet always encodes
	}
	return raw
}

// eachWithout calls try with each part of the tree taken out in turn, from the
// root down, until try says to stop.
func eachWithout(node any, try func() bool) bool {
	switch node := node.(type) {
	case map[string]any:
		return eachField(node, try)
	case []any:
		for _, item := range node {
			if !eachWithout(item, try) {
				return false
			}
		}
	}
	return true
}

func eachField(node map[string]any, try func() bool) bool {
	keys := slices.Sorted(maps.Keys(node))
	for _, key := range keys {
		part := node[key]
		delete(node, key)
		if !try() {
			return false
		}
		node[key] = part
	}
	for _, key := range keys {
		if list, ok := node[key].([]any); ok && !eachItem(node, key, list, try) {
			return false
		}
		if !eachWithout(node[key], try) {
			return false
		}
	}
	return true
}

func eachItem(node map[string]any, key string, list []any, try func() bool) bool {
	for i := range list {
		node[key] = slices.Delete(slices.Clone(list), i, i+1)
		if !try() {
			return false
		}
	}
	node[key] = list
	return true
}
