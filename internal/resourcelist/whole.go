// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"fmt"

	"go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/render/finding"
)

// parseWhole reads a list of any form through kyaml, and writes each item
// again as a text of its own.
func parseWhole(in []byte) (*List, error) {
	root, err := manifest.Parse(in)
	if err != nil {
		return nil, err
	}
	if kind := manifest.Text(root, "kind"); kind != Kind {
		return nil, fmt.Errorf("the input is of kind %q; a %s is wanted", kind, Kind)
	}
	if err := resolveAnchors(root); err != nil {
		return nil, err
	}
	list := &List{}
	names := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if names[key.Value] {
			return nil, fmt.Errorf("read YAML: the key %q stands a second time in line %d", key.Value, key.Line)
		}
		names[key.Value] = true
		if err := list.add(key, value, names["items"]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// add puts a section into its place.
func (l *List) add(key, value *yaml.Node, behindItems bool) error {
	switch key.Value {
	case "items":
		items, err := children(value)
		l.Items = items
		return err
	case "results":
		return nil
	case "functionConfig":
		if value.ShortTag() != "!!null" {
			item, err := fromNode(value)
			if err != nil {
				return err
			}
			l.FunctionConfig = item
		}
	}
	respell(value, false)
	text, err := kyaml.NewRNode(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, value}}).String()
	if err != nil {
		return fmt.Errorf("write %s: %w", key.Value, err)
	}
	if behindItems {
		l.after = append(l.after, text...)
	} else {
		l.before = append(l.before, text...)
	}
	return nil
}

// children returns the objects of a list, each as a text of its own.
func children(list *yaml.Node) ([]*Item, error) {
	if list == nil || list.ShortTag() == "!!null" {
		return nil, nil
	}
	if list.Kind != yaml.SequenceNode {
		return nil, fault{finding.NotAnObject, list.Line, "here is no list of items"}
	}
	items := make([]*Item, 0, len(list.Content))
	for i, node := range list.Content {
		if node.Kind != yaml.MappingNode {
			return nil, fault{finding.NotAnObject, node.Line, fmt.Sprintf("items[%d] is no object", i)}
		}
		item, err := fromNode(node)
		if err != nil {
			return nil, fmt.Errorf("items[%d]: %w", i, err)
		}
		items = append(items, item)
	}
	return items, nil
}

// fault is what is wrong with a text, and the line where.
type fault struct {
	rule    finding.Rule
	line    int
	message string
}

// Error names the line of the text.
func (f fault) Error() string { return fmt.Sprintf("read YAML: line %d: %s", f.line, f.message) }

// fromNode writes an object as a text of its own.
func fromNode(node *yaml.Node) (*Item, error) {
	respell(node, false)
	text, err := kyaml.NewRNode(node).String()
	if err != nil {
		return nil, fmt.Errorf("write object: %w", err)
	}
	item := New(refOf(node), []byte(text))
	item.Doubts = doubts(node)
	return item, nil
}

// respell writes what the encoder would change in a way that it keeps: nulls in
// flow style that are nothing but a missing value would become empty strings,
// and folded text would get a line more above each that is indented.
func respell(node *yaml.Node, inFlow bool) {
	if inFlow && node.Kind == yaml.ScalarNode && node.Value == "" && node.ShortTag() == "!!null" {
		node.Value = "null"
	}
	if node.Style&yaml.FoldedStyle != 0 {
		node.Style = node.Style&^yaml.FoldedStyle | yaml.LiteralStyle
	}
	for _, child := range node.Content {
		respell(child, inFlow || node.Style&yaml.FlowStyle != 0)
	}
}
