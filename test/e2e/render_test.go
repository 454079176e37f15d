// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/runtimes"
)

// run is a TrainJob and the runtime it names.
type run struct {
	job     *trainer.TrainJob
	runtime render.Runtime
}

// training reads a TrainJob and its runtime from a file of testdata/jobs. A
// file without a runtime names a built-in one.
func training(t *testing.T, name string, edits ...func(*trainer.TrainJob)) run {
	t.Helper()
	r := run{job: &trainer.TrainJob{}}
	for _, object := range read(t, "testdata/jobs/"+name+".yaml") {
		if object.GetKind() == "TrainJob" {
			convert(t, object, r.job)
			continue
		}
		var own trainer.ClusterTrainingRuntime
		convert(t, object, &own)
		r.runtime = render.Runtime{Kind: own.Kind, Name: own.Name, Labels: own.Labels, Spec: own.Spec}
	}
	for _, edit := range edits {
		edit(r.job)
	}
	if r.runtime.Name == "" {
		r.runtime = builtin(t, r.job.Spec.RuntimeRef)
	}
	return r
}

func builtin(t *testing.T, ref trainer.RuntimeRef) render.Runtime {
	t.Helper()
	entry, found := runtimes.Builtin().Resolve(ref, "")
	if !found {
		t.Fatalf("no runtime %s is built in", ref.Name)
	}
	return entry.Runtime
}

// rendered is the JobSet of a run in a namespace, and then its companions.
func rendered(t *testing.T, namespace string, r run, opts render.Options) []*unstructured.Unstructured {
	t.Helper()
	r.job.Namespace = namespace
	result := render.Render(r.job, r.runtime, opts)
	if result.JobSet == nil {
		t.Fatalf("%s is refused: %v", r.job.Name, result.Findings)
	}
	objects := []*unstructured.Unstructured{encoded(t, result.JobSet)}
	for _, companion := range result.Companions {
		objects = append(objects, encoded(t, companion))
	}
	return objects
}

// convert decodes an object into its Go type; an unknown field is an error.
func convert(t *testing.T, object *unstructured.Unstructured, into any) {
	t.Helper()
	if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object.Object, into, true); err != nil {
		t.Fatalf("%s %s: %v", object.GetKind(), object.GetName(), err)
	}
}

// encoded is an object as the renderer writes it: without status.
func encoded(t *testing.T, object runtime.Object) *unstructured.Unstructured {
	t.Helper()
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		t.Fatal(err)
	}
	delete(fields, "status")
	return &unstructured.Unstructured{Object: fields}
}
