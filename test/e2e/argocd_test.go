// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"encoding/json"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// argoServerSide is Argo CD with ServerSideApply=true.
var argoServerSide = applier{"argocd-server-side", func(ctx context.Context, objects []*unstructured.Unstructured) ([]string, error) {
	return each(objects, func(object *unstructured.Unstructured) (string, error) {
		before, err := stored(ctx, object)
		if err != nil {
			return "", err
		}
		applied := object.DeepCopy() // becomes what the server answers
		err = cluster.Client.Apply(ctx, client.ApplyConfigurationFromUnstructured(applied),
			client.FieldOwner("argocd-controller"), client.ForceOwnership)
		return verb(before, content(applied)), err
	})
}}

// argoClientSide is Argo CD's default: kubectl's three-way merge over the
// annotation that holds what was applied last.
var argoClientSide = applier{"argocd-client-side", func(ctx context.Context, objects []*unstructured.Unstructured) ([]string, error) {
	return each(objects, func(object *unstructured.Unstructured) (string, error) {
		wanted, err := annotated(object)
		if err != nil {
			return "", err
		}
		current := &unstructured.Unstructured{}
		current.SetGroupVersionKind(object.GroupVersionKind())
		err = cluster.Client.Get(ctx, client.ObjectKeyFromObject(object), current)
		if apierrors.IsNotFound(err) {
			return "created", cluster.Client.Create(ctx, wanted)
		}
		if err != nil {
			return "", err
		}
		before := content(current)
		patch, err := threeWay(current, wanted)
		if err != nil {
			return "", err
		}
		err = cluster.Client.Patch(ctx, current, client.RawPatch(types.MergePatchType, patch))
		return verb(before, content(current)), err
	})
}}

func threeWay(current, wanted *unstructured.Unstructured) ([]byte, error) {
	now, err := json.Marshal(current)
	if err != nil {
		return nil, err
	}
	then, err := json.Marshal(wanted)
	if err != nil {
		return nil, err
	}
	return jsonmergepatch.CreateThreeWayJSONMergePatch([]byte(current.GetAnnotations()[lastApplied]), then, now)
}

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

func annotated(object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	wanted := object.DeepCopy()
	annotations := wanted.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[lastApplied] = string(text)
	wanted.SetAnnotations(annotations)
	return wanted, nil
}

// stored is what lies in the cluster of an object but its status, nil if there
// is none.
func stored(ctx context.Context, object *unstructured.Unstructured) (map[string]any, error) {
	current := &unstructured.Unstructured{}
	current.SetGroupVersionKind(object.GroupVersionKind())
	err := cluster.Client.Get(ctx, client.ObjectKeyFromObject(object), current)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return content(current), err
}

// content drops the status and what changes when somebody writes a status.
func content(object *unstructured.Unstructured) map[string]any {
	kept := object.DeepCopy().Object
	unstructured.RemoveNestedField(kept, "status")
	unstructured.RemoveNestedField(kept, "metadata", "resourceVersion")
	unstructured.RemoveNestedField(kept, "metadata", "managedFields")
	return kept
}
