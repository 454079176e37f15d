// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// segment is one step into an object: a key, or an index where the key is
// empty.
type segment struct {
	key   string
	index int
}

// fieldPath is the way from an object's root to a field.
type fieldPath []segment

// String writes the path as findings do: spec.trainer.env[2].name, and keys
// that hold dots in brackets: metadata.labels[kueue.x-k8s.io/queue-name].
func (p fieldPath) String() string {
	var b strings.Builder
	for _, s := range p {
		switch {
		case s.key == "":
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case strings.ContainsAny(s.key, "./"):
			b.WriteString("[" + s.key + "]")
		case b.Len() > 0:
			b.WriteString("." + s.key)
		default:
			b.WriteString(s.key)
		}
	}
	return b.String()
}

// Line returns the line of a field, counted from 1 in the parsed text. Of a
// field that is not there it is the line of the nearest one above.
func Line(root *yaml.Node, field string) int {
	node, line := root, root.Line
	for field != "" {
		var part string
		part, field = cutSegment(field)
		key, value := step(resolve(node), part)
		if value == nil {
			break
		}
		node, line = value, key.Line
	}
	return line
}

// Written tells of each field's scalar how it stands in the text; empty if there
// is none.
func Written(root *yaml.Node) func(field string) string {
	return func(field string) string {
		node := root
		for field != "" && node != nil {
			var part string
			part, field = cutSegment(field)
			_, node = step(resolve(node), part)
		}
		if node = resolve(node); node == nil || node.Kind != yaml.ScalarNode {
			return ""
		}
		return node.Value
	}
}

// cutSegment takes the first step off a path: "env", "[2]", "[name=node]".
func cutSegment(path string) (first, rest string) {
	path = strings.TrimPrefix(path, ".")
	if strings.HasPrefix(path, "[") {
		if end := strings.IndexByte(path, ']'); end > 0 {
			return path[:end+1], path[end+1:]
		}
		return path, ""
	}
	if end := strings.IndexAny(path, ".["); end >= 0 {
		return path[:end], path[end:]
	}
	return path, ""
}

// step returns the node that tells a part's line, and the part's value.
func step(node *yaml.Node, part string) (at, value *yaml.Node) {
	inner := strings.Trim(part, "[]\"'")
	if node == nil {
		return nil, nil
	}
	if node.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == inner {
				return node.Content[i], node.Content[i+1]
			}
		}
		return nil, nil
	}
	key, want, byField := strings.Cut(inner, "=")
	index, err := strconv.Atoi(inner)
	for i, item := range node.Content {
		if (err == nil && i == index) || (byField && Text(item, key) == want) {
			return item, item
		}
	}
	return nil, nil
}
