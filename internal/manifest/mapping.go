// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/trainyard/trainyard/render/finding"
)

// entry is a key of a mapping and its value.
type entry struct{ key, value *yaml.Node }

// entries returns what a mapping holds once its merge keys are resolved: a key
// of the mapping itself wins over a merged one, an earlier merge over a later.
func (w *jsonWriter) entries(mapping *yaml.Node) []entry {
	held := &entries{all: make([]entry, 0, len(mapping.Content)/2)}
	var merges []*yaml.Node
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		e := entry{resolve(mapping.Content[i]), mapping.Content[i+1]}
		switch {
		case e.key.Kind != yaml.ScalarNode, e.key.ShortTag() == "!!null":
			w.errorf(finding.YAMLSyntax, e.key, "a key must be a string")
		case e.key.ShortTag() == "!!merge":
			merges = append(merges, e.value)
		default:
			if first := held.add(e); first != nil {
				w.duplicate(e.key, first.Line)
			}
		}
	}
	for _, source := range merges {
		w.merge(held, source)
	}
	return held.all
}

// entries are what a mapping holds, each key once.
type entries struct {
	all   []entry
	byKey map[string]*yaml.Node // nil: they are few, and looked at one by one
}

// add adds an entry. If its key is there, it returns that key and adds nothing.
func (h *entries) add(e entry) (first *yaml.Node) {
	if h.byKey != nil {
		first = h.byKey[e.key.Value]
	} else if i := slices.IndexFunc(h.all, func(o entry) bool { return o.key.Value == e.key.Value }); i >= 0 {
		first = h.all[i].key
	}
	if first == nil {
		h.all = append(h.all, e)
		h.index()
	}
	return first
}

// index indexes the entries once they are many.
func (h *entries) index() {
	const few = 16
	switch {
	case h.byKey != nil:
		last := h.all[len(h.all)-1]
		h.byKey[last.key.Value] = last.key
	case len(h.all) > few:
		h.byKey = map[string]*yaml.Node{}
		for _, e := range h.all {
			h.byKey[e.key.Value] = e.key
		}
	}
}

// Twice finds which of the keys stand more than once in a mapping.
func Twice(mapping *yaml.Node, keys ...string) []finding.Finding {
	w := &jsonWriter{}
	lines := map[string]int{}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key := resolve(mapping.Content[i])
		switch line, twice := lines[key.Value]; {
		case !slices.Contains(keys, key.Value):
		case twice:
			w.duplicate(key, line)
		default:
			lines[key.Value] = key.Line
		}
	}
	return w.findings
}

func (w *jsonWriter) duplicate(key *yaml.Node, first int) {
	w.path = append(w.path, segment{key: key.Value})
	w.errorf(finding.DuplicateKey, key,
		"the key %q stands here a second time, %s the first: one of them would be lost; remove one", key.Value, below(key.Line-first))
	w.path = w.path[:len(w.path)-1]
}

func below(lines int) string {
	switch lines {
	case 0:
		return "beside"
	case 1:
		return "one line below"
	default:
		return fmt.Sprintf("%d lines below", lines)
	}
}

// merge adds the entries of a merge key's source that are not there yet.
func (w *jsonWriter) merge(held *entries, source *yaml.Node) {
	switch node := resolve(source); {
	case w.full:
	case w.merged > maxMerged:
		w.tooMuch(source)
	case node.Kind == yaml.SequenceNode:
		for _, item := range node.Content {
			w.merge(held, item)
		}
	case node.Kind == yaml.MappingNode:
		w.merged += 1 + len(node.Content)
		for _, e := range w.entries(node) {
			held.add(e)
		}
	default:
		w.errorf(finding.YAMLSyntax, source, "a merge key takes a mapping or a list of mappings")
	}
}
