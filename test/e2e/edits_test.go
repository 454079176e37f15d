// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render"
)

// TestEdits edits each field of an admitted and running JobSet in turn and asks
// the API server and render.Change. Where the API server refuses, Change must
// say so: a silent one would let the refusal happen after the merge.
func TestEdits(t *testing.T) {
	space := namespace(t)
	localQueue(t, space, "queue", clusterQueue(t, flavor(t, gpuFlavor), "64"))
	for _, name := range []string{"held", "many-fields"} {
		objects := rendered(t, space, training(t, name), render.Options{})
		apply(t, argoServerSide, objects...)
		running(t, space, name, 2)
		t.Run(name, func(t *testing.T) {
			edits := everyEdit(objects[0])
			strict := 0
			for _, path := range slices.Sorted(maps.Keys(edits)) {
				strict += judge(t, path, objects[0], edits[path])
			}
			t.Logf("%d edits, %d of them refused by render.Change alone", len(edits), strict)
		})
	}
}

// judge asks both about one edit; it returns 1 if Change alone refuses.
func judge(t *testing.T, path string, was, is *unstructured.Unstructured) int {
	t.Helper()
	api := cluster.Client.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(is.DeepCopy()),
		client.FieldOwner("argocd-controller"), client.ForceOwnership, client.DryRunAll)
	var before, after jobset.JobSet
	convert(t, was, &before)
	convert(t, is, &after)
	ours := slices.ContainsFunc(render.Change(&before, &after), func(e render.Edit) bool { return e.Effect == render.Refused })
	if api != nil && !ours && !alsoRefusedAsNew(t, is) {
		t.Errorf("%s: Change is silent where the API server refuses: %.300s", path, api)
	}
	if api == nil && ours {
		return 1
	}
	return 0
}

// alsoRefusedAsNew: what no JobSet may look like is not for Change to say.
func alsoRefusedAsNew(t *testing.T, object *unstructured.Unstructured) bool {
	t.Helper()
	another := object.DeepCopy()
	another.SetName("another")
	return cluster.Client.Create(t.Context(), another, client.DryRunAll) != nil
}

// everyEdit is the object once per field below labels, annotations and spec,
// each time with that field changed, and once with it left out.
func everyEdit(object *unstructured.Unstructured) map[string]*unstructured.Unstructured {
	edits := map[string]*unstructured.Unstructured{}
	visit(object.Object, "", func(path string, set func(any), drop func(), value any) {
		if !strings.HasPrefix(path, ".spec") && !strings.HasPrefix(path, ".metadata.labels") && !strings.HasPrefix(path, ".metadata.annotations") {
			return
		}
		if other, ok := another(value); ok {
			set(other)
			edits[path+" changed"] = object.DeepCopy()
			set(value)
		}
		if drop != nil {
			drop()
			edits[path+" dropped"] = object.DeepCopy()
			set(value)
		}
	})
	return edits
}

// visit calls back for each field and each item, with means to change it.
func visit(node any, path string, at func(path string, set func(any), drop func(), value any)) {
	switch node := node.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(node)) {
			at(path+"."+key, func(v any) { node[key] = v }, func() { delete(node, key) }, node[key])
			visit(node[key], path+"."+key, at)
		}
	case []any:
		for i := range node {
			here := fmt.Sprintf("%s[%d]", path, i)
			at(here, func(v any) { node[i] = v }, nil, node[i])
			visit(node[i], here, at)
		}
	}
}

// another is a value of the same type, if the type has any others.
func another(value any) (any, bool) {
	switch v := value.(type) {
	case string:
		if v != "" && v[0] >= '0' && v[0] <= '9' {
			return "1" + v, true // a quantity stays one
		}
		return v + "0", true
	case bool:
		return !v, true
	case int64:
		return v + 1, true
	default:
		return nil, false
	}
}

// TestContentHash edits a running training that is rendered under a name of its
// own. The new run starts, the old one is pruned.
func TestContentHash(t *testing.T) {
	t.Parallel()
	space := namespace(t)
	localQueue(t, space, "queue", clusterQueue(t, flavor(t, gpuFlavor), "64"))
	opts := render.Options{NameSuffix: render.NameSuffixContentHash}
	first := rendered(t, space, training(t, "held"), opts)
	second := rendered(t, space, training(t, "held", func(job *trainer.TrainJob) {
		image := "example.com/train:2"
		job.Spec.Trainer.Image = &image
	}), opts)
	if first[0].GetName() == second[0].GetName() {
		t.Fatalf("both runs are named %s", first[0].GetName())
	}
	apply(t, flux(false), first...)
	running(t, space, first[0].GetName(), 2)
	apply(t, flux(false), second...)
	prune(t, first)
	running(t, space, second[0].GetName(), 2)
	running(t, space, first[0].GetName(), 0)
}
