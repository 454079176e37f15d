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
	entries := make([]entry, 0, len(mapping.Content)/2)
	lines := make(map[string]int, len(mapping.Content)/2)
	var merges []*yaml.Node
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key, value := resolve(mapping.Content[i]), mapping.Content[i+1]
		switch line, twice := lines[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			w.errorf(finding.YAMLSyntax, key, "a key must be a string")
		case key.ShortTag() == "!!merge":
			merges = append(merges, value)
		case twice:
			w.duplicate(key, line)
		default:
			lines[key.Value] = key.Line
			entries = append(entries, entry{key, value})
		}
	}
	for _, source := range merges {
		entries = w.merge(entries, lines, source)
	}
	return entries
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
func (w *jsonWriter) merge(entries []entry, lines map[string]int, source *yaml.Node) []entry {
	node := resolve(source)
	switch {
	case w.open[node]:
		w.errorf(finding.YAMLSyntax, source, "a merge key holds itself")
	case node.Kind == yaml.SequenceNode:
		w.open[node] = true
		for _, item := range node.Content {
			entries = w.merge(entries, lines, item)
		}
		delete(w.open, node)
	case node.Kind == yaml.MappingNode:
		w.open[node] = true
		for _, e := range w.entries(node) {
			if _, there := lines[e.key.Value]; !there {
				lines[e.key.Value] = e.key.Line
				entries = append(entries, e)
			}
		}
		delete(w.open, node)
	default:
		w.errorf(finding.YAMLSyntax, source, "a merge key takes a mapping or a list of mappings")
	}
	return entries
}
