// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestPrevious edits a running training in git. The API server refuses what it
// can't take, so --previous refuses it before the merge; what it can take, both
// let pass. A training that was not edited is left as it was rendered.
func TestPrevious(t *testing.T) {
	space := namespace(t)
	localQueue(t, space, "queue", clusterQueue(t, flavor(t, gpuFlavor), "64"))
	was := encoded(t, training(t, "held", func(job *trainer.TrainJob) { job.Namespace = space }).job)
	first, findings, code := command(t, files(t, was))
	if code != 0 {
		t.Fatalf("exit %d:\n%s", code, findings)
	}
	apply(t, flux(false), first...)
	running(t, space, "held", 2)

	for name, c := range map[string]struct {
		edit    func(*unstructured.Unstructured)
		refused bool
	}{
		"nothing": {func(*unstructured.Unstructured) {}, false},
		"label":   {func(job *unstructured.Unstructured) { setLabel(job, "team", "a") }, false},
		"image": {func(job *unstructured.Unstructured) {
			_ = unstructured.SetNestedField(job.Object, "example.com/train:2", "spec", "trainer", "image")
		}, true},
		"nodes": {func(job *unstructured.Unstructured) {
			_ = unstructured.SetNestedField(job.Object, int64(4), "spec", "trainer", "numNodes")
		}, true},
		"queue": {func(job *unstructured.Unstructured) { setLabel(job, "kueue.x-k8s.io/queue-name", "other") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			is := was.DeepCopy()
			c.edit(is)
			_, findings, code := command(t, "--previous", files(t, first...), files(t, is))
			if refused := code == 1; refused != c.refused {
				t.Errorf("--previous refuses: %t, want %t:\n%s", refused, c.refused, findings)
			}
			naive, findings, code := command(t, files(t, is))
			if code != 0 {
				t.Fatalf("exit %d:\n%s", code, findings)
			}
			_, err := flux(false).apply(t.Context(), naive)
			if refused := err != nil; refused != c.refused {
				t.Errorf("the API server refuses: %t, want %t: %v", refused, c.refused, err)
			}
		})
	}
}

func setLabel(object *unstructured.Unstructured, name, value string) {
	labels := object.GetLabels()
	labels[name] = value
	object.SetLabels(labels)
}
