// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
)

// unchanged compares what was sent with what the API server made of it.
func unchanged(t *testing.T, sent, got *unstructured.Unstructured) {
	t.Helper()
	if diff := cmp.Diff(intent(t, sent), intent(t, got)); diff != "" {
		t.Errorf("%s %s was changed on its way (-rendered +stored):\n%s", sent.GetKind(), sent.GetName(), diff)
	}
}

// intent is an object without what only a server can set: the identity of the
// stored object, its status, suspend of a JobSet that names a queue, which is
// Kueue's, and the queue that Volcano gives to a PodGroup that names none.
func intent(t *testing.T, object *unstructured.Unstructured) map[string]any {
	t.Helper()
	stripped := object.DeepCopy()
	if object.GetKind() == "JobSet" {
		stripped = retyped(t, object)
	}
	for _, field := range []string{"uid", "creationTimestamp", "generation", "managedFields", "resourceVersion"} {
		unstructured.RemoveNestedField(stripped.Object, "metadata", field)
	}
	unstructured.RemoveNestedField(stripped.Object, "status")
	if _, queued := stripped.GetLabels()[marks.QueueName]; queued {
		unstructured.RemoveNestedField(stripped.Object, "spec", "suspend")
	}
	if object.GetAPIVersion() == "scheduling.volcano.sh/v1beta1" && queue(stripped) == "default" {
		unstructured.RemoveNestedField(stripped.Object, "spec", "queue")
	}
	return stripped.Object
}

func queue(podGroup *unstructured.Unstructured) string {
	name, _, _ := unstructured.NestedString(podGroup.Object, "spec", "queue")
	return name
}

// retyped has no empty maps: webhooks send objects back through Go types, which
// write some where there was nothing.
func retyped(t *testing.T, object *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	var typed jobset.JobSet
	convert(t, object, &typed)
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&typed)
	if err != nil {
		t.Fatal(err)
	}
	return &unstructured.Unstructured{Object: fields}
}
