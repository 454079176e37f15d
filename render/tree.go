// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
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
