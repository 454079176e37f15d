// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/trainyard/trainyard/render"
)

// TestCRDUpgrade gives JobSet's resource definition another default. Where it
// is written out it does not reach a run, new or old; where it is left out it
// does. Then it gets a field that git can't know: that appears, and an applier
// leaves it alone.
func TestCRDUpgrade(t *testing.T) {
	space := namespace(t)
	objects := rendered(t, space, training(t, "runs"), render.Options{})
	naive := withoutReplicas(objects[0], "naive")
	apply(t, flux(false), objects...)
	running(t, space, "runs", 2)

	defineJobSets(t, "replace", "replicatedJobs/items/properties/replicas/default", "2", "1")
	eventually(t, func() error {
		asked := naive.DeepCopy()
		if err := cluster.Client.Create(t.Context(), asked, client.DryRunAll); err != nil {
			return err
		}
		if n := replicas(asked); n != 2 {
			return fmt.Errorf("replicas left out become %d, want the new default", n)
		}
		return nil
	})
	if disturbed := reapply(t, flux(false), space, objects); len(disturbed) > 0 {
		t.Error(strings.Join(disturbed, "\n"))
	}
	fresh := objects[0].DeepCopy()
	fresh.SetName("fresh")
	accepted(t, fresh)

	defineJobSets(t, "add", "later", `{"type": "string", "default": "new"}`, "null")
	eventually(t, func() error {
		if got, _, _ := unstructured.NestedString(live(t, objects[0]).Object, "spec", "later"); got != "new" {
			return fmt.Errorf("the new field is %q", got)
		}
		return nil
	})
	if disturbed := reapply(t, flux(false), space, objects); len(disturbed) > 0 {
		t.Error(strings.Join(disturbed, "\n"))
	}
}

// withoutReplicas is a JobSet of another name that leaves a default out.
func withoutReplicas(jobSet *unstructured.Unstructured, name string) *unstructured.Unstructured {
	naive := jobSet.DeepCopy()
	naive.SetName(name)
	jobs, _, _ := unstructured.NestedSlice(naive.Object, "spec", "replicatedJobs")
	delete(jobs[0].(map[string]any), "replicas")
	_ = unstructured.SetNestedSlice(naive.Object, jobs, "spec", "replicatedJobs") // it was there
	return naive
}

func replicas(jobSet *unstructured.Unstructured) int64 {
	jobs, _, _ := unstructured.NestedSlice(jobSet.Object, "spec", "replicatedJobs")
	n, _, _ := unstructured.NestedInt64(jobs[0].(map[string]any), "replicas")
	return n
}

// defineJobSets replaces or adds something in the properties of spec in JobSet's
// resource definition, until the test ends.
func defineJobSets(t *testing.T, op, property, value, before string) {
	t.Helper()
	set := func(ctx context.Context, op, value string) error {
		definition := &apiextensions.CustomResourceDefinition{}
		definition.Name = "jobsets.jobset.x-k8s.io"
		path := "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/" + property
		patch := fmt.Sprintf(`[{"op": %q, "path": %q, "value": %s}]`, op, path, value)
		return cluster.Client.Patch(ctx, definition, client.RawPatch(types.JSONPatchType, []byte(patch)))
	}
	if err := set(t.Context(), op, value); err != nil {
		t.Fatal(err)
	}
	undo := map[string]string{"replace": "replace", "add": "remove"}[op]
	t.Cleanup(func() {
		if err := set(context.Background(), undo, before); err != nil {
			t.Error(err)
		}
	})
}
