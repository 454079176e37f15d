// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/fluxcd/pkg/ssa"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// applier puts objects into the cluster as a GitOps controller does, once per
// call, and reports what it did with each.
type applier struct {
	name  string
	apply func(context.Context, []*unstructured.Unstructured) ([]string, error)
}

// appliers are the engines that re-apply for ever.
func appliers() []applier {
	return []applier{flux(false), flux(true), argoServerSide}
}

// Who Flux applies as, and for which Kustomization.
const fluxKustomization, fluxNamespace = "trainings", "flux-system"

var fluxOwner = ssa.Owner{Field: "kustomize-controller", Group: "kustomize.toolkit.fluxcd.io"}

// flux is the engine of kustomize-controller with the options that it sets.
func flux(force bool) applier {
	name := "flux"
	if force {
		name = "flux-force"
	}
	return applier{name, func(ctx context.Context, objects []*unstructured.Unstructured) ([]string, error) {
		manager := ssa.NewResourceManager(cluster.Client, nil, fluxOwner)
		objects = copies(objects)
		manager.SetOwnerLabels(objects, fluxKustomization, fluxNamespace)
		options := ssa.DefaultApplyOptions()
		options.Force = force
		options.ExclusionSelector = map[string]string{
			"kustomize.toolkit.fluxcd.io/reconcile": "disabled", "kustomize.toolkit.fluxcd.io/ssa": "Ignore",
		}
		options.IfNotPresentSelector = map[string]string{"kustomize.toolkit.fluxcd.io/ssa": "IfNotPresent"}
		options.ForceSelector = map[string]string{"kustomize.toolkit.fluxcd.io/force": "Enabled"}
		changes, err := manager.ApplyAll(ctx, objects, options)
		if err != nil {
			return nil, err
		}
		var done []string
		for _, entry := range changes.Entries {
			done = append(done, string(entry.Action))
		}
		return done, nil
	}}
}

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
