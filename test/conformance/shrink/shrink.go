// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package shrink makes a failing case as small as it can be.
package shrink

import (
	"maps"
	"slices"

	"github.com/trainyard/trainyard/test/conformance/cases"
)

// Case returns the smallest case that still fails: field by field, item by
// item is taken away as long as it does. An object's identity stays.
func Case(c cases.Case, fails func(cases.Case) bool) cases.Case {
	for shrunk := true; shrunk; {
		shrunk = false
		for i := 0; ; i++ {
			all := cuts(c)
			if i >= len(all) {
				break
			}
			smaller := c.Clone()
			all[i](smaller)
			if fails(smaller) {
				c, shrunk = smaller, true
				i--
			}
		}
	}
	return c
}

// cut takes one piece away from a case.
type cut func(cases.Case)

// spot is where a value stands in a case.
type spot struct {
	depth   int
	find    func(cases.Case) any
	replace func(cases.Case, any)
}

// cuts are all those that a case has, the largest first.
func cuts(c cases.Case) []cut {
	var levels [][]cut
	collect := func(depth int, take cut) {
		for len(levels) <= depth {
			levels = append(levels, nil)
		}
		levels[depth] = append(levels[depth], take)
	}
	within(c.TrainJob, spot{find: func(c cases.Case) any { return c.TrainJob }}, collect)
	for i := range c.Others {
		within(c.Others[i], spot{find: func(c cases.Case) any { return c.Others[i] }}, collect)
	}
	return slices.Concat(levels...)
}

// within collects the cuts of the value at a spot.
func within(value any, at spot, collect func(int, cut)) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if at.depth == 0 && (key == "apiVersion" || key == "kind") || at.depth == 1 && key == "name" {
				continue
			}
			parent := func(c cases.Case) map[string]any { return at.find(c).(map[string]any) }
			collect(at.depth, func(c cases.Case) { delete(parent(c), key) })
			within(value[key], spot{
				depth:   at.depth + 1,
				find:    func(c cases.Case) any { return parent(c)[key] },
				replace: func(c cases.Case, v any) { parent(c)[key] = v },
			}, collect)
		}
	case []any:
		for i := range value {
			parent := func(c cases.Case) []any { return at.find(c).([]any) }
			collect(at.depth, func(c cases.Case) { at.replace(c, slices.Delete(parent(c), i, i+1)) })
			within(value[i], spot{
				depth:   at.depth + 1,
				find:    func(c cases.Case) any { return parent(c)[i] },
				replace: func(c cases.Case, v any) { parent(c)[i] = v },
			}, collect)
		}
	}
}
