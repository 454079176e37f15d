// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"strings"
	"testing"

	"github.com/fluxcd/pkg/kustomize"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/render"
)

// TestSubstitution lets Flux substitute variables in what was rendered from a
// script that has variables of its own. Without the profile's annotation the
// script loses them.
func TestSubstitution(t *testing.T) {
	const script = "torchrun --nnodes=${PET_NNODES} train.py"
	for profile, kept := range map[render.Profile]bool{render.ProfileFlux: true, render.ProfileNone: false} {
		r := training(t, "queued", func(job *trainer.TrainJob) { job.Spec.Trainer.Command = []string{"sh", "-c", script} })
		jobSet := rendered(t, "default", r, render.Options{Profile: profile})[0]
		if got := strings.Contains(substituted(t, jobSet), script); got != kept {
			t.Errorf("profile %s: the script is there: %t, want %t", profile, got, kept)
		}
	}
}

// substituted is an object after Flux's post-build substitution with one
// variable of the cluster, as YAML.
func substituted(t *testing.T, object *unstructured.Unstructured) string {
	t.Helper()
	text, err := yaml.Marshal(object.Object)
	if err != nil {
		t.Fatal(err)
	}
	resource, err := provider.NewDefaultDepProvider().GetResourceFactory().FromBytes(text)
	if err != nil {
		t.Fatal(err)
	}
	kustomization := unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"name": fluxKustomization, "namespace": fluxNamespace},
		"spec":     map[string]any{"postBuild": map[string]any{"substitute": map[string]any{"CLUSTER": "blue"}}},
	}}
	changed, err := kustomize.SubstituteVariables(t.Context(), cluster.Client, kustomization, resource)
	if err != nil {
		t.Fatal(err)
	}
	if changed != nil { // nil: it was passed over
		resource = changed
	}
	return resource.MustYaml()
}
