// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// tree is an object as it is written: without status, nulls and the empty
// values that the API's types write for what no one set.
func tree(o runtime.Object) map[string]any {
	document, err := asMap(o)
	if err != nil { // the API's types always encode
		return nil
	}
	delete(document, "status")
	prune(document)
	return document
}

func prune(node any) {
	switch node := node.(type) {
	case map[string]any:
		for key, child := range node {
			prune(child)
			if child == nil || unset(key, child) {
				delete(node, key)
			}
		}
	case []any:
		for _, item := range node {
			prune(item)
		}
	}
}

func unset(key string, node any) bool {
	object, ok := node.(map[string]any)
	return ok && len(object) == 0 && slices.Contains([]string{"metadata", "resources"}, key)
}

// encoded is a node as JSON on one line; empty for a node that is not there.
func encoded(node any) string {
	if node == nil {
		return ""
	}
	var document bytes.Buffer
	encoder := json.NewEncoder(&document)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(node); err != nil { // what came from JSON goes back to it
		return ""
	}
	return strings.TrimSuffix(document.String(), "\n")
}

// asMap is a typed value as the JSON object that it stands for. Integers stay
// whole: beyond 2^53 a float64 would round them.
func asMap(typed any) (map[string]any, error) {
	document, err := json.Marshal(typed)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", typed, err)
	}
	m := map[string]any{}
	if err := utiljson.Unmarshal(document, &m); err != nil {
		return nil, fmt.Errorf("decode %T: %w", typed, err)
	}
	return m, nil
}

func object(m map[string]any, key string) map[string]any {
	o, _ := m[key].(map[string]any)
	return o
}

func objects(m map[string]any, key string) []map[string]any {
	list, _ := m[key].([]any)
	var found []map[string]any
	for _, item := range list {
		if o, ok := item.(map[string]any); ok {
			found = append(found, o)
		}
	}
	return found
}
