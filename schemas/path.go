// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// path leads to a value: names of fields, keys of maps, and indexes of lists.
type path []string

// from returns the value at the path within an object, or nil.
func (p path) from(value any) any {
	for _, step := range p {
		switch container := value.(type) {
		case map[string]any:
			value = container[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(container) {
				return nil
			}
			value = container[i]
		default:
			return nil
		}
	}
	return value
}

// field writes the path as a finding has it: spec.trainer.env[2].name, or
// metadata.labels[example.com/team].
func (p path) field() string {
	var out strings.Builder
	for _, step := range p {
		switch {
		case isIndex(step) || strings.ContainsAny(step, "./"):
			out.WriteString("[" + step + "]")
		case out.Len() == 0:
			out.WriteString(step)
		default:
			out.WriteString("." + step)
		}
	}
	return out.String()
}

// compare puts paths into the order of their fields' names, and items into
// their lists' order.
func (p path) compare(other path) int {
	return slices.CompareFunc(p, other, func(a, b string) int {
		if isIndex(a) && isIndex(b) {
			return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
		}
		return cmp.Compare(a, b)
	})
}

func isIndex(step string) bool {
	return step != "" && strings.Trim(step, "0123456789") == ""
}
