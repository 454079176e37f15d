// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"testing"

	"github.com/fluxcd/pkg/ssa"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

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

// prune deletes what is no longer in git, as kustomize-controller does.
func prune(t *testing.T, objects []*unstructured.Unstructured) {
	t.Helper()
	manager := ssa.NewResourceManager(cluster.Client, nil, fluxOwner)
	options := ssa.DefaultDeleteOptions()
	options.Inclusions = manager.GetOwnerLabels(fluxKustomization, fluxNamespace)
	if _, err := manager.DeleteAll(t.Context(), objects, options); err != nil {
		t.Fatal(err)
	}
}
