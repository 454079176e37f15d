// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render"
)

// TestTrainer gives the same TrainJobs to the Trainer's controller and to us.
// Its JobSets, read back, equal ours but for what differs on purpose.
func TestTrainer(t *testing.T) {
	for _, shipped := range readAll(t, "../../runtimes/*.yaml") {
		t.Run(shipped.GetName(), func(t *testing.T) {
			t.Parallel()
			ensure(t, shipped.DeepCopy())
			job := &trainer.TrainJob{ObjectMeta: metav1.ObjectMeta{Name: "run"}}
			job.Spec.RuntimeRef.Name = shipped.GetName()
			// Without spec.trainer the Trainer leaves a framework's variables out.
			nodes := int32(1)
			job.Spec.Trainer = &trainer.Trainer{NumNodes: &nodes}
			theirs := theTrainers(t, namespace(t), job)
			space := namespace(t)
			ours := rendered(t, space, run{job, builtin(t, job.Spec.RuntimeRef)}, render.Options{})[0]
			apply(t, argoServerSide, ours)
			if diff := cmp.Diff(alike(t, theirs), alike(t, live(t, ours))); diff != "" {
				t.Errorf("the JobSets differ (-Trainer +ours):\n%s", diff)
			}
		})
	}
}

// theTrainers is the JobSet that the Trainer's controller makes of a TrainJob.
func theTrainers(t *testing.T, namespace string, job *trainer.TrainJob) *unstructured.Unstructured {
	t.Helper()
	job = job.DeepCopy()
	job.Namespace = namespace
	if err := cluster.Client.Create(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	made := &unstructured.Unstructured{}
	made.SetGroupVersionKind(jobset.GroupVersion.WithKind("JobSet"))
	eventually(t, func() error {
		return cluster.Client.Get(t.Context(), client.ObjectKeyFromObject(job), made)
	})
	return made
}

// alike is a JobSet without what the two make differently on purpose: the
// owner, the marks of the renderer, and suspend, which we write only if true.
func alike(t *testing.T, object *unstructured.Unstructured) map[string]any {
	t.Helper()
	var typed jobset.JobSet
	stripped := intent(t, object)
	unstructured.RemoveNestedField(stripped, "metadata", "ownerReferences")
	unstructured.RemoveNestedField(stripped, "metadata", "namespace")
	for _, mark := range []string{marks.TrainJob, marks.Runtime, marks.SourceDigest, marks.SSHAuth} {
		unstructured.RemoveNestedField(stripped, "metadata", "labels", mark)
		unstructured.RemoveNestedField(stripped, "metadata", "annotations", mark)
	}
	convert(t, &unstructured.Unstructured{Object: stripped}, &typed)
	if typed.Spec.Suspend != nil && !*typed.Spec.Suspend {
		typed.Spec.Suspend = nil
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&typed)
	if err != nil {
		t.Fatal(err)
	}
	return fields
}
