// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/render/policy"
)

// Leaf is one value of a rendered object and who set it.
type Leaf struct {
	Object     finding.Ref // the JobSet or a companion
	Path       string      // spec.replicatedJobs[name=node].template.spec.parallelism
	Value      string      // as JSON
	Source     Source
	Overridden []Setting // earlier ones, first to last
}

// Setting is a value that a source gave a leaf.
type Setting struct {
	Value  string // as JSON
	Source Source
}

// trace compares the objects' leaves before and after each step, and so knows
// who set each of them without any step having code for it. A nil trace does
// not look.
type trace struct {
	byPlace map[place]Leaf
}

// place is where a leaf stands.
type place struct {
	object finding.Ref
	path   string
}

func newTrace(on bool) *trace {
	if !on {
		return nil
	}
	return &trace{byPlace: map[place]Leaf{}}
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

func (t *trace) compare(now map[place]string, source Source) {
	for at := range t.byPlace {
		if _, ok := now[at]; !ok {
			delete(t.byPlace, at)
		}
	}
	for at, value := range now {
		leaf, ok := t.byPlace[at]
		source := source.of(at.path)
		switch {
		case !ok && (at.path == "apiVersion" || at.path == "kind"):
			t.byPlace[at] = Leaf{Object: at.object, Path: at.path, Value: value, Source: byRule("Trainyard")}
		case !ok:
			t.byPlace[at] = Leaf{Object: at.object, Path: at.path, Value: value, Source: source}
		case leaf.Value != value:
			leaf.Overridden = append(leaf.Overridden, Setting{leaf.Value, leaf.Source})
			leaf.Value, leaf.Source = value, source
			t.byPlace[at] = leaf
		}
	}
}

// leaves are all leaves: those of the JobSet, then those of each companion,
// sorted by path.
func (t *trace) leaves() []Leaf {
	if t == nil {
		return nil
	}
	return slices.SortedFunc(maps.Values(t.byPlace), func(a, b Leaf) int {
		return cmp.Or(
			cmp.Compare(companion(a), companion(b)),
			cmp.Compare(a.Object.Kind, b.Object.Kind),
			cmp.Compare(a.Object.Name, b.Object.Name),
			cmp.Compare(a.Path, b.Path))
	})
}

// OfJobSet reports whether the leaf is one of the JobSet's, not of a companion.
func (l Leaf) OfJobSet() bool { return l.Object.Kind == "JobSet" }

// companion sorts the JobSet before what stands beside it.
func companion(l Leaf) int {
	if l.OfJobSet() {
		return 0
	}
	return 1
}

// leafValues are the leaves of the objects that the job would be now.
func leafValues(j policy.Job) map[place]string {
	values := map[place]string{}
	for _, o := range append([]runtime.Object{newJobSet(j)}, j.Companions...) {
		document := tree(o)
		metadata := object(document, "metadata")
		at := finding.Ref{
			APIVersion: text(document, "apiVersion"), Kind: text(document, "kind"),
			Namespace: text(metadata, "namespace"), Name: text(metadata, "name"),
		}
		collect(values, place{object: at}, document)
	}
	return values
}

func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

func collect(values map[place]string, at place, node any) {
	switch node := node.(type) {
	case map[string]any:
		for key, child := range node {
			collect(values, place{at.object, join(at.path, key)}, child)
		}
		if len(node) == 0 {
			values[at] = "{}"
		}
	case []any:
		for i, name := range elements(node) {
			collect(values, place{at.object, at.path + name}, node[i])
		}
		if len(node) == 0 {
			values[at] = "[]"
		}
	default:
		values[at] = encoded(node)
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
