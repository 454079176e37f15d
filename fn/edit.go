// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/resourcelist"
)

// Annotated returns the item with annotations set. Lines are added and nothing
// else changes, comments and style included; where that can't be done the
// object is written anew. JSON stays JSON. An item that has them already is
// returned as it is.
func Annotated(item *resourcelist.Item, annotations map[string]string) *resourcelist.Item {
	missing := maps.Clone(annotations)
	maps.DeleteFunc(missing, func(key, value string) bool { return item.Annotation(key) == value })
	if len(missing) == 0 {
		return item
	}
	for _, insert := range []func(*resourcelist.Item, map[string]string) []byte{insertAnnotations, insertJSON} {
		if edited := item.With(insert(item, missing)); has(edited, annotations) {
			return edited
		}
	}
	rewritten, err := kyaml.Parse(string(item.Text()))
	if err != nil {
		return item // it was parsed before
	}
	for _, key := range slices.Sorted(maps.Keys(missing)) {
		if err := rewritten.PipeE(kyaml.SetAnnotation(key, missing[key])); err != nil {
			return item
		}
	}
	if json.Valid(item.Text()) {
		return item.With(asJSON(item.Text(), rewritten.YNode()))
	}
	text, err := rewritten.String()
	if err != nil {
		return item
	}
	return item.With([]byte(text))
}

func has(item *resourcelist.Item, annotations map[string]string) bool {
	if root, err := item.Root(); err != nil || root == nil {
		return false
	}
	for key, value := range annotations {
		if item.Annotation(key) != value {
			return false
		}
	}
	return true
}

// insertAnnotations adds a line for each annotation: below the key annotations,
// or below name and namespace, with that key. It returns the text unchanged if
// the metadata is not written in lines.
func insertAnnotations(item *resourcelist.Item, annotations map[string]string) []byte {
	root, err := item.Root()
	metadata := manifest.Field(root, "metadata")
	if err != nil || !inLines(metadata) {
		return item.Text()
	}
	column, line := metadata.Content[0].Column-1, 0
	for i := 0; i+1 < len(metadata.Content); i += 2 {
		key, value := metadata.Content[i], metadata.Content[i+1]
		switch {
		case key.Value == "annotations" && inLines(value) && !holdsAny(value, annotations):
			return insert(item.Text(), key.Line, value.Content[0].Column-1, annotations, false)
		case key.Value == "annotations":
			return item.Text()
		case key.Value == "name" || key.Value == "namespace":
			line = max(line, value.Line)
		}
	}
	return insert(item.Text(), line, column, annotations, true)
}

func holdsAny(mapping *yaml.Node, annotations map[string]string) bool {
	for key := range annotations {
		if manifest.Field(mapping, key) != nil {
			return true
		}
	}
	return false
}

func inLines(node *yaml.Node) bool {
	return node != nil && node.Kind == yaml.MappingNode && node.Style&yaml.FlowStyle == 0 && len(node.Content) > 0
}

// insert writes the annotations below a line, their keys in a column; with head
// the key annotations stands in that column, and they below it.
func insert(text []byte, line, column int, annotations map[string]string, head bool) []byte {
	indent := bytes.Repeat([]byte(" "), column)
	var added bytes.Buffer
	if head {
		added.Write(indent)
		added.WriteString("annotations:\n")
		indent = append(indent, "  "...)
	}
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		added.Write(indent)
		added.WriteString(manifest.Scalar(key) + ": " + manifest.Scalar(annotations[key]) + "\n")
	}
	var out bytes.Buffer
	number := 0
	for l := range bytes.Lines(text) {
		out.Write(l)
		if number++; number == line {
			out.Write(added.Bytes())
		}
	}
	return out.Bytes()
}
