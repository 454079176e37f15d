// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/trainyard/trainyard/render/finding"
)

// What anchors may expand to is bounded: a text of a few lines can stand for
// more than fits in memory.
const (
	maxJSON   = 32 << 20 // bytes
	maxMerged = 1 << 20  // entries that merge keys bring
)

// holdsItself finds an alias that stands within its anchor.
func holdsItself(node *yaml.Node, open []*yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode && slices.Contains(open, node.Alias) {
		return node
	}
	if node.Anchor != "" {
		open = append(open, node)
	}
	for _, child := range node.Content {
		if alias := holdsItself(child, open); alias != nil {
			return alias
		}
	}
	return nil
}

// tooMuch ends the expansion.
func (w *jsonWriter) tooMuch(node *yaml.Node) {
	w.full = true
	w.errorf(finding.YAMLSyntax, node, "the anchors of this document expand to more than %d MiB or %d merged keys; write it out", maxJSON>>20, maxMerged)
}
