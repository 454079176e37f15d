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
		if value.Kind == yaml.MappingNode {
			l.FunctionConfig = &Item{Ref: refOf(value), root: value}
		}
	}
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
		return nil, fmt.Errorf("read items: line %d holds no list", list.Line)
	}
	items := make([]*Item, 0, len(list.Content))
	for i, node := range list.Content {
		if node.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("read items[%d]: line %d holds no object", i, node.Line)
		}
		text, err := kyaml.NewRNode(node).String()
		if err != nil {
			return nil, fmt.Errorf("write items[%d]: %w", i, err)
		}
		items = append(items, &Item{Ref: refOf(node), text: []byte(text)})
	}
	return items, nil
}

// resolveAnchors writes out every alias, so that each item stands for itself.
func resolveAnchors(root *yaml.Node) error {
	if !hasAlias(root) {
		return nil
	}
	_, findings := manifest.JSON(root) // finds anchors that hold themselves or never end
	for _, f := range findings {
		if f.Rule == finding.YAMLSyntax {
			return fmt.Errorf("read YAML: line %d: %s", f.Position.Line, f.Message)
		}
	}
	if err := kyaml.NewRNode(root).DeAnchor(); err != nil {
		return fmt.Errorf("resolve anchors: %w", err)
	}
	return nil
}

func hasAlias(node *yaml.Node) bool {
	if node.Kind == yaml.AliasNode {
		return true
	}
	for _, child := range node.Content {
		if hasAlias(child) {
			return true
		}
	}
	return false
}
