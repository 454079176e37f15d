// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// Parse reads a text of one YAML document, or a JSON text, and returns its root.
// The root is nil if the text holds nothing but comments.
func Parse(text []byte) (*yaml.Node, error) {
	if hasForeign(text) {
		return parse(asYAML(text))
	}
	root, err := parse(text)
	if err != nil {
		if text := asYAML(text); text != nil {
			return parse(text)
		}
	}
	return root, err
}

func parse(text []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, second yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("read YAML: %w", err)
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, fmt.Errorf("read YAML: a second document starts at line %d", second.Line)
	} else if !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read YAML: %w", err)
	}
	root := document.Content[0]
	if root.Kind == yaml.ScalarNode && root.ShortTag() == "!!null" {
		return nil, nil
	}
	return root, nil
}

// Field returns the value of a key of a mapping, or nil. Merge keys are not
// followed.
func Field(mapping *yaml.Node, key string) *yaml.Node {
	mapping = resolve(mapping)
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return resolve(mapping.Content[i+1])
		}
	}
	return nil
}

// Text returns the string under a path of keys; empty if there is none.
func Text(mapping *yaml.Node, path ...string) string {
	for _, key := range path {
		mapping = Field(mapping, key)
	}
	if mapping == nil || mapping.Kind != yaml.ScalarNode || mapping.ShortTag() == "!!null" {
		return ""
	}
	return mapping.Value
}

// resolve follows an alias to its anchor.
func resolve(node *yaml.Node) *yaml.Node {
	for node != nil && node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	return node
}
