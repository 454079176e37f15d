// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/accept"
	"github.com/trainyard/trainyard/render/finding"
)

// TestRefused knocks at the doors that stand before a training: JobSet's
// webhook, the Job API, the Pod API. What we refuse as refused by them is, and
// what we let pass, passes.
func TestRefused(t *testing.T) {
	files, err := filepath.Glob("../../testdata/accept/*/jobset.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no cases: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var js jobset.JobSet
			if err := yaml.UnmarshalStrict(text, &js); err != nil {
				t.Fatal(err)
			}
			js.Namespace = namespace(t)
			aroundJobSet(t, js.Namespace, &js)
			findings := accept.Check(&js)
			if refused := knock(t, &js); (refused != nil) != finding.Blocking(findings) {
				t.Errorf("the cluster says %v, we say %v", refused, findings)
			}
		})
	}
}

// knock asks each door in turn and returns the first refusal.
func knock(t *testing.T, js *jobset.JobSet) error {
	t.Helper()
	js = js.DeepCopy()
	if err := cluster.Client.Create(t.Context(), js, client.DryRunAll); err != nil {
		return err
	}
	for _, object := range first(js) {
		if err := cluster.Client.Create(t.Context(), encoded(t, object), client.DryRunAll); err != nil {
			return err
		}
	}
	return nil
}

// first are the first Job and the first pod of each replicated job: the others
// differ from them in nothing but numbers.
func first(js *jobset.JobSet) []runtime.Object {
	small := js.DeepCopy()
	one := int32(1)
	for i := range small.Spec.ReplicatedJobs {
		job := &small.Spec.ReplicatedJobs[i]
		job.Replicas = min(job.Replicas, 1)
		job.Template.Spec.Parallelism, job.Template.Spec.Completions = &one, &one
	}
	objects := render.Pods(small)
	jobs := js.Spec.ReplicatedJobs
	for _, object := range objects {
		if made, ok := object.(*batchv1.Job); ok {
			made.Spec.Parallelism, made.Spec.Completions = jobs[0].Template.Spec.Parallelism, jobs[0].Template.Spec.Completions
			jobs = jobs[1:]
		}
	}
	return objects
}
