// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package generate

import (
	"maps"
	"slices"
	"strings"

	"github.com/trainyard/trainyard/test/conformance/cases"
)

// spoil makes one case in four wrong in a place or two, whatever stands there.
func (d dice) spoil(c cases.Case) {
	if !d.percent(25) {
		return
	}
	for range 1 + d.IntN(2) {
		root := c.TrainJob
		if len(c.Others) > 0 && d.one(2) {
			root = c.Others[0]
		}
		d.spoilWithin(root)
	}
}

// place is one field of an object or item of a list.
type place struct {
	parent any
	key    string
	index  int
}

// spoilWithin changes one place below root. The object's identity stays.
func (d dice) spoilWithin(root object) {
	var places []place
	walk(root, func(p place) { places = append(places, p) })
	if len(places) > 0 {
		d.change(pick(d, places...))
	}
}

func walk(value any, visit func(place)) {
	switch value := value.(type) {
	case object:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if key == "apiVersion" || key == "kind" && value["apiVersion"] != nil {
				continue
			}
			visit(place{parent: value, key: key})
			walk(value[key], visit)
		}
	case list:
		for i := range value {
			visit(place{parent: value, index: i})
			walk(value[i], visit)
		}
	}
}

func (d dice) change(p place) {
	switch parent := p.parent.(type) {
	case object:
		if text, ok := parent[p.key].(string); ok && strings.ContainsAny(p.key, "./") { // a label
			parent[p.key] = d.oddText(text)
			return
		}
		switch d.IntN(5) {
		case 0:
			delete(parent, p.key)
		case 1:
			if d.one(10) {
				parent["unknown"] = nil
				return
			}
			parent[pick(d, "unknown", p.key+"s", strings.ToUpper(p.key))] = parent[p.key]
		case 2:
			parent[p.key] = d.doubled(parent[p.key])
		default:
			parent[p.key] = d.odd(parent[p.key])
		}
	case list:
		if other := d.IntN(len(parent)); d.one(2) {
			parent[p.index] = parent[other]
		} else {
			parent[p.index] = d.odd(parent[p.index])
		}
	}
}

// doubled repeats a list's last item.
func (d dice) doubled(value any) any {
	if items, ok := value.(list); ok && len(items) > 0 {
		return append(slices.Clone(items), items[len(items)-1])
	}
	return d.odd(value)
}

// odd is a value in the place of another: mostly of its type.
func (d dice) odd(value any) any {
	if d.one(8) {
		return pick[any](d, nil, "", int64(0), false, object{}, list{}, "text", 0.5, list{"a"}, object{"a": "b"})
	}
	switch value := value.(type) {
	case string:
		return d.oddText(value)
	case int64:
		return pick[any](d, int64(0), int64(-1), int64(1), int64(2), int64(65536), int64(2147483648), "1", 1.5)
	case bool:
		return pick[any](d, true, false, "true", int64(1))
	case list:
		return pick[any](d, list{}, nil, list{object{}})
	case object:
		return pick[any](d, object{}, nil)
	default:
		return pick[any](d, nil, "", int64(1))
	}
}

func (d dice) oddText(text string) string {
	return pick(d, "", "a", "UPPER", "a.b", "-a", "a_b", "größe", strings.Repeat("x", 64), strings.Repeat("x", 300), "0", "auto", "1Gi", "node", "a/b", " ", text+text)
}
