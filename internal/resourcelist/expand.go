// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/render/finding"
)

// Expand returns the objects of a List or TrainJobList, and of lists in it, and
// what is wrong with it; nothing for any other object.
func (i *Item) Expand() ([]*Item, []finding.Finding) {
	if !strings.HasSuffix(i.Ref.Kind, "List") {
		return nil, nil
	}
	root, err := manifest.Parse(i.Text()) // its objects keep their comments
	if err != nil {
		return nil, []finding.Finding{i.Broken()}
	}
	if manifest.Field(root, "items") == nil {
		return nil, nil
	}
	if found := doubts(root); len(found) > 0 {
		return nil, found
	}
	children, err := i.expand(root)
	if err == nil {
		return children, nil
	}
	f := finding.Errorf(finding.YAMLSyntax, "items", "%v", err)
	if at, ok := errors.AsType[fault](err); ok {
		f.Rule, f.Message, f.Position.Line = at.rule, at.message, at.line
	}
	return nil, []finding.Finding{f}
}

func (i *Item) expand(root *yaml.Node) ([]*Item, error) {
	if err := resolveAnchors(root); err != nil {
		return nil, err
	}
	list := flattened(root)
	items, err := children(list)
	for n, item := range items {
		item.Position = i.Position
		if item.Position.Line > 0 {
			item.Position.Line += list.Content[n].Line - 1
		}
		if !identified(item.Ref) {
			item.Doubts = append(item.Doubts, finding.Errorf(finding.NotAnObject, "", "an item of the %s has no %s, so it is no object of Kubernetes", i.Ref.Kind, missing(item.Ref)))
		}
	}
	return items, err
}

// flattened returns the items of a list with the objects of the lists within it
// in their places, as kubectl applies them.
func flattened(root *yaml.Node) *yaml.Node {
	list := manifest.Field(root, "items")
	if list == nil || list.Kind != yaml.SequenceNode {
		return list
	}
	flat := *list
	flat.Content = nil
	for _, node := range list.Content {
		node = typed(node, refOf(root))
		inner := manifest.Field(node, "items")
		if inner != nil && inner.Kind == yaml.SequenceNode && strings.HasSuffix(refOf(node).Kind, "List") && len(doubts(node)) == 0 {
			flat.Content = append(flat.Content, flattened(node).Content...)
		} else {
			flat.Content = append(flat.Content, node)
		}
	}
	return &flat
}

// typed returns an item of a list with the kind that it has: one that does not
// say it is of the list's, as kubectl reads it. The keys come last, so that the
// lines above them stay what they are.
func typed(node *yaml.Node, list finding.Ref) *yaml.Node {
	kind := strings.TrimSuffix(list.Kind, "List")
	if node.Kind != yaml.MappingNode || identified(refOf(node)) || kind == "" {
		return node
	}
	of := *node
	of.Content = nil
	for i := 0; i+1 < len(node.Content); i += 2 {
		if key := node.Content[i]; key.Value != "apiVersion" && key.Value != "kind" {
			of.Content = append(of.Content, key, node.Content[i+1])
		}
	}
	for _, word := range []string{"apiVersion", list.APIVersion, "kind", kind} {
		of.Content = append(of.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: word})
	}
	return &of
}
