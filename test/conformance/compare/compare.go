// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package compare finds where two objects differ.
//
// What is empty counts as absent: {} and [] and null say nothing. Variables of
// a container are compared by name, since their order matters only where one
// refers to another; that is looked at on its own (references.go).
package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Difference is one place where two objects are not alike.
type Difference struct {
	Path      string // "spec.replicatedJobs[0].template.spec.parallelism"
	Want, Got any    // nil: absent
}

// String is the difference on one line.
func (d Difference) String() string {
	return fmt.Sprintf("%s: wanted %s, got %s", d.Path, short(d.Want), short(d.Got))
}

func short(value any) string {
	if value == nil {
		return "nothing"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	if len(text) > 300 {
		return string(text[:300]) + "…"
	}
	return string(text)
}

// Objects compares two objects that have been tidied.
func Objects(want, got map[string]any) []Difference {
	var found []Difference
	differ("", anyOrNil(want), anyOrNil(got), &found)
	return found
}

func anyOrNil(object map[string]any) any {
	if object == nil {
		return nil
	}
	return object
}

func differ(path string, want, got any, found *[]Difference) {
	switch wanted := want.(type) {
	case map[string]any:
		if given, ok := got.(map[string]any); ok {
			differInMaps(path, wanted, given, found)
			return
		}
	case []any:
		if given, ok := got.([]any); ok {
			differInLists(path, wanted, given, found)
			return
		}
	}
	if want == got {
		return
	}
	*found = append(*found, Difference{Path: path, Want: want, Got: got})
}

func differInMaps(path string, want, got map[string]any, found *[]Difference) {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(want)), maps.Keys(got))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		differ(strings.TrimPrefix(path+"."+key, "."), want[key], got[key], found)
	}
}

func differInLists(path string, want, got []any, found *[]Difference) {
	if path == "env" || strings.HasSuffix(path, ".env") {
		differInMaps(path, byName(want), byName(got), found)
		return
	}
	for i := range max(len(want), len(got)) {
		differ(fmt.Sprintf("%s[%d]", path, i), at(want, i), at(got, i), found)
	}
}

func at(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// byName makes a map of a list of named things.
func byName(list []any) map[string]any {
	named := map[string]any{}
	for i, item := range list {
		name := fmt.Sprintf("%d", i)
		if fields, ok := item.(map[string]any); ok {
			name = fmt.Sprint(fields["name"])
		}
		named[name] = item
	}
	return named
}

// Tidy returns an object without what is empty, numbers in one form.
func Tidy(object map[string]any) map[string]any {
	text, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	var copied map[string]any
	if err := json.Unmarshal(text, &copied); err != nil {
		return nil
	}
	kept, _ := tidy(copied).(map[string]any)
	return kept
}

func tidy(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			if value[key] = tidy(inner); value[key] == nil {
				delete(value, key)
			}
		}
		if len(value) == 0 {
			return nil
		}
		return value
	case []any:
		for i := range value {
			value[i] = tidy(value[i])
		}
		if len(value) == 0 {
			return nil
		}
		return value
	default:
		return value
	}
}
