// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"
)

// firstKeys stand first in a mapping, in this order; the rest keeps its own.
var firstKeys = []string{"apiVersion", "kind", "metadata", "name", "spec"}

// tidyYAML writes a node as people write YAML: names first, block style, no
// needless quotes, no comments.
func tidyYAML(node *yaml.Node) ([]byte, error) {
	tidy(node)
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(node); err != nil {
		return nil, err
	}
	return out.Bytes(), encoder.Close()
}

func tidy(node *yaml.Node) {
	node.HeadComment, node.LineComment, node.FootComment = "", "", ""
	node.Style &= yaml.LiteralStyle | yaml.FoldedStyle
	if node.Kind == yaml.MappingNode {
		orderKeys(node)
	}
	for _, child := range node.Content {
		tidy(child)
	}
}

// orderKeys moves firstKeys to the front of a mapping.
func orderKeys(mapping *yaml.Node) {
	pairs := slices.Collect(slices.Chunk(mapping.Content, 2))
	slices.SortStableFunc(pairs, func(a, b []*yaml.Node) int {
		return rank(a[0].Value) - rank(b[0].Value)
	})
	mapping.Content = slices.Concat(pairs...)
}

func rank(key string) int {
	if i := slices.Index(firstKeys, key); i >= 0 {
		return i
	}
	return len(firstKeys)
}
