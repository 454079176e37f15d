// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render"
)

// TestBuiltinRuntimes runs a TrainJob of each built-in runtime to its end.
func TestBuiltinRuntimes(t *testing.T) {
	files, err := filepath.Glob("../../runtimes/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no built-in runtimes: %v", err)
	}
	for _, file := range files {
		for _, shipped := range read(t, file) {
			t.Run(shipped.GetName(), func(t *testing.T) {
				t.Parallel()
				space := namespace(t)
				job := &trainer.TrainJob{ObjectMeta: metav1.ObjectMeta{Name: "run"}}
				job.Spec.RuntimeRef.Name = shipped.GetName()
				completes(t, space, rendered(t, space, run{job, builtin(t, job.Spec.RuntimeRef)}, render.Options{}))
			})
		}
	}
}

// TestExamples runs what each example renders.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/*/rendered.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no rendered examples: %v", err)
	}
	for _, file := range files {
		all := read(t, file)
		if kind("JobSet", all) == nil {
			continue // one example renders pods, for a policy engine
		}
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			objects := in(space, namespaced(all))
			for _, name := range queues(objects) {
				localQueue(t, space, name, clusterQueue(t, flavor(t, "{}"), "1000"))
			}
			completes(t, space, objects)
		})
	}
}

// completes applies objects and follows each JobSet to its end.
func completes(t *testing.T, space string, objects []*unstructured.Unstructured) {
	t.Helper()
	surroundings(t, space, objects)
	for _, object := range objects {
		accepted(t, object)
	}
	apply(t, argoServerSide, objects...)
	for _, object := range objects {
		if object.GetKind() == "JobSet" {
			reaches(t, space, object.GetName(), jobset.JobSetCompleted)
		}
	}
}

// TestGolden asks the API server for its verdict on every golden case, and on
// those of the folders in DIR: what was rendered stands in NAME/jobset.yaml.
func TestGolden(t *testing.T) {
	for _, root := range append([]string{"../../testdata/render"}, filepath.SplitList(os.Getenv("DIR"))...) {
		folders, err := filepath.Glob(root + "/*/jobset.yaml")
		if err != nil || len(folders) == 0 {
			t.Fatalf("found no cases in %s: %v", root, err)
		}
		for _, file := range folders {
			t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
				t.Parallel()
				objects := read(t, file)
				if companions := filepath.Join(filepath.Dir(file), "companions.yaml"); exists(companions) {
					objects = append(objects, read(t, companions)...)
				}
				for _, object := range in("default", objects) {
					delete(object.Object, "status")
					accepted(t, object)
				}
			})
		}
	}
}

// accepted lets the API server and all webhooks judge an object. They change
// nothing of it but what only a server can set.
func accepted(t *testing.T, object *unstructured.Unstructured) {
	t.Helper()
	stored := object.DeepCopy()
	if err := cluster.Client.Create(t.Context(), stored, client.DryRunAll); err != nil {
		t.Fatalf("the API server refuses %s %s: %v", object.GetKind(), object.GetName(), err)
	}
	unchanged(t, object, stored)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// namespaced drops what belongs to the whole cluster.
func namespaced(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	return slices.DeleteFunc(objects, func(object *unstructured.Unstructured) bool {
		return strings.HasPrefix(object.GetKind(), "Cluster") || object.GetKind() == "Namespace"
	})
}

// queues are the names of the queues that objects ask for.
func queues(objects []*unstructured.Unstructured) []string {
	var names []string
	for _, object := range objects {
		if name := object.GetLabels()[marks.QueueName]; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
