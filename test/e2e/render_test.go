// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"os"
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/runtimes"
)

// trainJob reads a TrainJob and lets a test change it.
func trainJob(t *testing.T, file string, edits ...func(*trainer.TrainJob)) *trainer.TrainJob {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	job := &trainer.TrainJob{}
	if err := yaml.UnmarshalStrict(text, job); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for _, edit := range edits {
		edit(job)
	}
	return job
}

// rendered is the JobSet of a TrainJob and its companions, for a namespace.
// The runtime is a built-in one.
func rendered(t *testing.T, namespace string, job *trainer.TrainJob, opts render.Options) []*unstructured.Unstructured {
	t.Helper()
	job.Namespace = namespace
	entry, found := runtimes.Builtin().Resolve(job.Spec.RuntimeRef, namespace)
	if !found {
		t.Fatalf("no runtime %s is built in", job.Spec.RuntimeRef.Name)
	}
	result := render.Render(job, entry.Runtime, opts)
	if result.JobSet == nil {
		t.Fatalf("%s is refused: %v", job.Name, result.Findings)
	}
	objects := []*unstructured.Unstructured{encoded(t, result.JobSet)}
	for _, companion := range result.Companions {
		objects = append(objects, encoded(t, companion))
	}
	return objects
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
