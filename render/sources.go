// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"maps"
	"slices"

	"github.com/trainyard/trainyard/render/policy"
)

// Leaf is one value of a JobSet and who set it.
type Leaf struct {
	Path       string // spec.replicatedJobs[name=node].template.spec.parallelism
	Value      string // as JSON
	Source     Source
	Overridden []Setting // earlier ones, first to last
}

// Setting is a value that a source gave a leaf.
type Setting struct {
	Value  string // as JSON
	Source Source
}

// trace compares the JobSet's leaves before and after each step, and so knows
// who set each of them without any step having code for it. A nil trace does
// not look.
type trace struct {
	byPath map[string]Leaf
}

func newTrace(on bool) *trace {
	if !on {
		return nil
	}
	return &trace{byPath: map[string]Leaf{}}
}

// take takes the steps one by one.
func (t *trace) take(j policy.Job, steps []Step) policy.Job {
	for _, step := range steps {
		j = step.Apply(j)
		if t != nil {
			t.compare(leafValues(j), step.Source)
		}
	}
	return j
}

func (t *trace) compare(now map[string]string, source Source) {
	for path := range t.byPath {
		if _, ok := now[path]; !ok {
			delete(t.byPath, path)
		}
	}
	for path, value := range now {
		leaf, ok := t.byPath[path]
		switch {
		case !ok:
			t.byPath[path] = Leaf{Path: path, Value: value, Source: source}
		case leaf.Value != value:
			leaf.Overridden = append(leaf.Overridden, Setting{leaf.Value, leaf.Source})
			leaf.Value, leaf.Source = value, source
			t.byPath[path] = leaf
		}
	}
}

// leaves are all leaves, by path.
func (t *trace) leaves() []Leaf {
	if t == nil {
		return nil
	}
	var sorted []Leaf
	for _, path := range slices.Sorted(maps.Keys(t.byPath)) {
		sorted = append(sorted, t.byPath[path])
	}
	return sorted
}

// leafValues are the job's leaves as the JobSet that it would be now.
func leafValues(j policy.Job) map[string]string {
	values := map[string]string{}
	collect(values, "", tree(newJobSet(j)))
	return values
}

func collect(values map[string]string, path string, node any) {
	switch node := node.(type) {
	case map[string]any:
		for key, child := range node {
			collect(values, join(path, key), child)
		}
		if len(node) == 0 {
			values[path] = "{}"
		}
	case []any:
		for i, name := range elements(node) {
			collect(values, path+name, node[i])
		}
		if len(node) == 0 {
			values[path] = "[]"
		}
	default:
		values[path] = encoded(node)
	}
}

func join(path, key string) string {
	switch {
	case path == "":
		return key
	case plainKey(key):
		return path + "." + key
	default:
		return fmt.Sprintf("%s[%s]", path, key)
	}
}

// plainKey: a key with dots or slashes stands in brackets.
func plainKey(key string) bool {
	return !slices.ContainsFunc([]rune(key), func(r rune) bool { return r == '.' || r == '/' })
}

// elements name the items of a list by what the API merges them by, so that an
// item that moves stays the same leaf; by their index where it merges by
// nothing, or where two have the same name.
func elements(list []any) []string {
	names := make([]string, len(list))
	count := map[string]int{}
	for i, item := range list {
		names[i] = element(item, i)
		count[names[i]]++
	}
	for i, name := range names {
		if count[name] > 1 {
			names[i] = fmt.Sprintf("[%d]", i)
		}
	}
	return names
}

func element(item any, i int) string {
	object, _ := item.(map[string]any)
	for _, key := range []string{"mountPath", "devicePath", "containerPort", "name"} {
		if value, ok := object[key]; ok {
			return fmt.Sprintf("[%s=%v]", key, value)
		}
	}
	return fmt.Sprintf("[%d]", i)
}
