// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"fmt"

	"go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/trainyard/trainyard/render/finding"
)

// resolveAnchors writes out every alias, so that each item stands for itself.
func resolveAnchors(root *yaml.Node) error {
	c := expansion{open: map[*yaml.Node]bool{}}
	if err := c.visit(root); err != nil || !c.aliases {
		return err
	}
	if err := kyaml.NewRNode(root).DeAnchor(); err != nil {
		return fmt.Errorf("resolve anchors: %w", err)
	}
	return nil
}

// maxNodes bounds what the anchors of a text may expand to.
const maxNodes = 4 << 20

// expansion walks over a document as it is with every alias written out.
type expansion struct {
	open    map[*yaml.Node]bool // anchors that are being walked over
	nodes   int
	aliases bool
}

func (e *expansion) visit(node *yaml.Node) error {
	e.nodes++
	switch {
	case e.nodes > maxNodes:
		return fault{finding.YAMLSyntax, node.Line, fmt.Sprintf("the anchors of this text expand to more than %d values", maxNodes)}
	case node.Kind == yaml.AliasNode:
		e.aliases = true
		return e.visit(node.Alias)
	case e.open[node]:
		return fault{finding.YAMLSyntax, node.Line, fmt.Sprintf("the anchor &%s holds itself", node.Anchor)}
	}
	if node.Anchor != "" {
		e.open[node] = true
		defer delete(e.open, node)
	}
	for _, child := range node.Content {
		if err := e.visit(child); err != nil {
			return err
		}
	}
	return nil
}
