// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trainyard/trainyard/internal/jsontree"
	"github.com/trainyard/trainyard/render/finding"
)

// JSON writes a YAML node as JSON. Keys keep their order; keys that a merge
// brings come last. The findings tell of duplicate keys, of values that JSON
// can't hold, and of strings that a YAML 1.1 reader takes for something else;
// their fields count from the node.
func JSON(root *yaml.Node) ([]byte, []finding.Finding) {
	w := &jsonWriter{out: make([]byte, 0, 1<<10)}
	if alias := holdsItself(root, nil); alias != nil {
		w.errorf(finding.YAMLSyntax, alias, "the anchor &%s holds itself", alias.Value)
		return []byte("null"), w.findings
	}
	w.value(root)
	return w.out, w.findings
}

type jsonWriter struct {
	out      []byte
	path     fieldPath
	findings []finding.Finding
	merged   int  // entries that merge keys brought
	full     bool // the anchors expand to too much
}

func (w *jsonWriter) value(node *yaml.Node) {
	switch {
	case w.full:
		w.out = append(w.out, "null"...)
	case len(w.out) > maxJSON:
		w.tooMuch(node)
		w.out = append(w.out, "null"...)
	case node.Kind == yaml.AliasNode:
		w.value(node.Alias)
	case node.Kind == yaml.MappingNode:
		w.mapping(node)
	case node.Kind == yaml.SequenceNode:
		w.sequence(node)
	default:
		w.scalar(node)
	}
}

func (w *jsonWriter) sequence(node *yaml.Node) {
	w.out = append(w.out, '[')
	for i, item := range node.Content {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.path = append(w.path, segment{index: i})
		w.value(item)
		w.path = w.path[:len(w.path)-1]
	}
	w.out = append(w.out, ']')
}

func (w *jsonWriter) mapping(node *yaml.Node) {
	w.out = append(w.out, '{')
	for i, e := range w.entries(node) {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.path = append(w.path, segment{key: e.key.Value})
		w.ambiguousKey(e.key)
		w.out = jsontree.AppendString(w.out, e.key.Value)
		w.out = append(w.out, ':')
		w.value(e.value)
		w.path = w.path[:len(w.path)-1]
	}
	w.out = append(w.out, '}')
}

func (w *jsonWriter) scalar(node *yaml.Node) {
	switch node.ShortTag() {
	case "!!null", "!!bool":
		w.out = append(w.out, w.word(node)...)
	case "!!int":
		w.out = append(w.out, w.integer(node)...)
	case "!!float":
		w.out = append(w.out, w.float(node)...)
	case "!!str", "!!timestamp":
		w.ambiguous(node, "the value")
		w.out = jsontree.AppendString(w.out, node.Value)
	default:
		w.errorf(finding.YAMLSyntax, node, "the tag %s has no meaning here; write a plain value", node.Tag)
		w.out = append(w.out, "null"...)
	}
}

// word is null, true or false. A tag can claim that another word is one.
func (w *jsonWriter) word(node *yaml.Node) string {
	plain := yaml.Node{Kind: yaml.ScalarNode, Value: node.Value}
	switch tag := plain.ShortTag(); {
	case tag != node.ShortTag():
		w.errorf(finding.YAMLSyntax, node, "the tag %s does not fit %q; write a plain value", node.Tag, node.Value)
		return "null"
	case tag == "!!null":
		return "null"
	default:
		return strings.ToLower(node.Value)
	}
}

// integer keeps every digit: an int64 has more than a float64 holds.
func (w *jsonWriter) integer(node *yaml.Node) string {
	if json.Valid([]byte(node.Value)) {
		return node.Value
	}
	if n, ok := new(big.Int).SetString(strings.ReplaceAll(node.Value, "_", ""), 0); ok {
		return n.String()
	}
	return w.notANumber(node)
}

func (w *jsonWriter) float(node *yaml.Node) string {
	if json.Valid([]byte(node.Value)) {
		return node.Value
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(node.Value, "_", ""), 64)
	if err != nil {
		return w.notANumber(node)
	}
	text, err := json.Marshal(f)
	if err != nil {
		return w.notANumber(node)
	}
	return string(text)
}

func (w *jsonWriter) notANumber(node *yaml.Node) string {
	w.errorf(finding.YAMLSyntax, node, "%s is no number that an object can hold; quote it if a string is meant", node.Value)
	return "null"
}

func (w *jsonWriter) errorf(rule finding.Rule, node *yaml.Node, format string, args ...any) {
	f := finding.Errorf(rule, w.path.String(), format, args...)
	f.Position.Line = node.Line
	w.findings = append(w.findings, f)
}
