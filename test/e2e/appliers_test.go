// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// applier puts objects into the cluster as a GitOps controller does, once per
// call, and reports what it did with each.
type applier struct {
	name  string
	apply func(context.Context, []*unstructured.Unstructured) ([]string, error)
}

// appliers are the engines that re-apply for ever.
func appliers() []applier {
	return []applier{flux(false), flux(true), kustomizeController(false), kustomizeController(true), argoServerSide}
}

func verb(before, after map[string]any) string {
	switch {
	case before == nil:
		return "created"
	case equality.Semantic.DeepEqual(before, after):
		return "unchanged"
	default:
		return "configured"
	}
}

func each(objects []*unstructured.Unstructured, apply func(*unstructured.Unstructured) (string, error)) ([]string, error) {
	var done []string
	for _, object := range objects {
		did, err := apply(object)
		if err != nil {
			return done, fmt.Errorf("apply %s %s: %w", object.GetKind(), object.GetName(), err)
		}
		done = append(done, did)
	}
	return done, nil
}

func copies(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	copied := make([]*unstructured.Unstructured, len(objects))
	for i, object := range objects {
		copied[i] = object.DeepCopy()
	}
	return copied
}

// apply applies objects once and fails the test if that fails.
func apply(t *testing.T, by applier, objects ...*unstructured.Unstructured) []string {
	t.Helper()
	done, err := by.apply(t.Context(), objects)
	if err != nil {
		t.Fatalf("%s: %v", by.name, err)
	}
	return done
}
