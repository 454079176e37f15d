// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/resourcelist"
)

// Decode turns a rendered item into its object: JobSets and ConfigMaps into
// their types, others into a tree of values.
func Decode(item *resourcelist.Item) (runtime.Object, error) {
	switch {
	case isJobSet(item):
		return jobSetOf(item)
	case item.Ref.Kind == "ConfigMap" && item.Ref.APIVersion == "v1":
		return decoded(item, &corev1.ConfigMap{})
	default:
		return decoded(item, &unstructured.Unstructured{})
	}
}

func decoded[T runtime.Object](item *resourcelist.Item, object T) (runtime.Object, error) {
	root, err := item.Root()
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", item.Ref.Kind, item.Ref.Name, err)
	}
	document, _ := manifest.JSON(root)
	if err := json.Unmarshal(document, object); err != nil {
		return nil, fmt.Errorf("read %s %s: %w", item.Ref.Kind, item.Ref.Name, err)
	}
	return object, nil
}
