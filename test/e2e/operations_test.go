// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// many is more runs than anybody looks at one by one.
const many = 200

// fleet are the sources of runs of one runtime of their own, in no queue.
func fleet(t *testing.T, space string, n int) (runtime *unstructured.Unstructured, jobs []*unstructured.Unstructured) {
	t.Helper()
	runtime = ofKind(t, "ClusterTrainingRuntime", read(t, "testdata/jobs/deadline.yaml"))
	for i := range n {
		job := training(t, "runs").job
		job.Name, job.Namespace = fmt.Sprintf("run-%03d", i), space
		job.Spec.RuntimeRef.Name, job.Spec.Trainer.Image = runtime.GetName(), nil
		jobs = append(jobs, encoded(t, job))
	}
	return runtime, jobs
}

// must is command where nothing may go wrong.
func must(t *testing.T, args ...string) (objects []*unstructured.Unstructured, findings string) {
	t.Helper()
	objects, findings, code := command(t, args...)
	if code != 0 {
		t.Fatalf("exit %d:\n%s", code, findings)
	}
	return objects, findings
}

// TestUpgrade renders a run that an earlier release rendered otherwise. With
// the last rendering at hand it stays as it is, byte for byte; taken up anew it
// is refused, by the renderer as by the API server.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	space := namespace(t)
	job := encoded(t, training(t, "runs", func(job *trainer.TrainJob) { job.Namespace = space }).job)
	old, _ := must(t, files(t, job))
	setContainer(t, old[0], "workingDir", "/as/an/earlier/release/had/it")
	apply(t, flux(false), old...)
	running(t, space, "runs", 2)

	kept, findings := must(t, "--previous", files(t, old...), files(t, job))
	if diff := cmp.Diff(old, kept); diff != "" {
		t.Errorf("the run was rendered anew:\n%s", diff)
	}
	if !strings.Contains(findings, "frozen-run") {
		t.Errorf("nothing says that it would come out differently:\n%s", findings)
	}
	if disturbed := reapply(t, flux(false), space, kept); len(disturbed) > 0 {
		t.Error(strings.Join(disturbed, "\n"))
	}

	_, findings, code := command(t, "--refresh", "runs", "--previous", files(t, old...), files(t, job))
	if code != 1 || !strings.Contains(findings, "immutable-edit") {
		t.Errorf("--refresh: exit %d, want its refusal:\n%s", code, findings)
	}
	anew, _ := must(t, files(t, job))
	if _, err := flux(false).apply(t.Context(), anew); err == nil {
		t.Error("the API server takes what --refresh refuses")
	}
}

// setContainer changes a field of the first container of the first job.
func setContainer(t *testing.T, jobSet *unstructured.Unstructured, field, value string) {
	t.Helper()
	jobs, _, _ := unstructured.NestedSlice(jobSet.Object, "spec", "replicatedJobs")
	path := []string{"template", "spec", "template", "spec", "containers"}
	containers, _, _ := unstructured.NestedSlice(jobs[0].(map[string]any), path...)
	containers[0].(map[string]any)[field] = value
	for _, err := range []error{
		unstructured.SetNestedSlice(jobs[0].(map[string]any), containers, path...),
		unstructured.SetNestedSlice(jobSet.Object, jobs, "spec", "replicatedJobs"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestNewImage gives a runtime another image while many runs of it exist. None
// of them changes, one line says so, and a new run gets the image.
func TestNewImage(t *testing.T) {
	t.Parallel()
	space := namespace(t)
	runtime, jobs := fleet(t, space, many)
	old, _ := must(t, files(t, append(jobs, runtime)...))
	few := old[:3] // all of them would be a thousand pods
	apply(t, flux(false), few...)
	for _, one := range few {
		running(t, space, one.GetName(), 2)
	}

	bumped := readText(t, strings.ReplaceAll(text(t, runtime), "example.com/train:1", "example.com/train:2"))[0]
	fresh := jobs[0].DeepCopy()
	fresh.SetName("fresh")
	kept, findings := must(t, "--previous", files(t, old...), files(t, append(jobs, fresh, bumped)...))
	at := slices.IndexFunc(kept, func(o *unstructured.Unstructured) bool { return o.GetName() == "fresh" })
	if at < 0 || !strings.Contains(text(t, kept[at]), "example.com/train:2") {
		t.Error("the new run has not got the new image")
	}
	kept = slices.Delete(kept, at, at+1)
	if diff := cmp.Diff(old, kept); diff != "" {
		t.Errorf("runs that exist were rendered anew:\n%s", diff)
	}
	if n := strings.Count(findings, "frozen-run"); n != 1 {
		t.Errorf("%d lines say that they would come out differently, want 1:\n%s", n, findings)
	}
	if disturbed := reapply(t, flux(false), space, kept[:3]); len(disturbed) > 0 {
		t.Error(strings.Join(disturbed, "\n"))
	}

	naive, _ := must(t, files(t, append(jobs, bumped)...))
	if _, err := flux(false).apply(t.Context(), naive[:3]); err == nil {
		t.Error("the API server takes another image for a run that exists")
	}
}

// TestOneBad puts two bad TrainJobs among many. Nothing is rendered, and the
// findings name both.
func TestOneBad(t *testing.T) {
	runtime, jobs := fleet(t, "team", many)
	for i, bad := range map[int]string{50: "no-such-runtime", 150: "neither"} {
		_ = unstructured.SetNestedField(jobs[i].Object, bad, "spec", "runtimeRef", "name")
	}
	out, findings, code := call(t, files(t, append(jobs, runtime)...))
	if code != 1 || len(out) > 0 {
		t.Errorf("exit %d and %d bytes, want 1 and nothing", code, len(out))
	}
	for _, name := range []string{"run-050", "run-150"} {
		if !strings.Contains(findings, name) {
			t.Errorf("the findings do not name %s:\n%s", name, findings)
		}
	}
}

// TestOneRefused edits a running training in git and adds another. The API
// server refuses the first, and the applier leaves out the second with it.
// --previous keeps this from getting there.
func TestOneRefused(t *testing.T) {
	for _, by := range []applier{flux(false), kustomizeController(false)} {
		t.Run(by.name, func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			first := committed(t, space, "runs")
			apply(t, by, first...)
			running(t, space, "runs", 2)

			edit := func(job *trainer.TrainJob) { *job.Spec.Trainer.NumNodes = 4 }
			set := append(committed(t, space, "runs", edit), committed(t, space, "runs", called("next"))...)
			if _, err := by.apply(t.Context(), set); err == nil {
				t.Error("the edit was not refused")
			}
			if err := absent(t, set[1]); err != nil {
				t.Errorf("the other training was applied: %v", err)
			}

			job := encoded(t, training(t, "runs", edit, func(job *trainer.TrainJob) { job.Namespace = space }).job)
			if _, findings, code := command(t, "--profile", "Flux", "--previous", files(t, first...), files(t, job)); code != 1 {
				t.Errorf("--previous: exit %d, want 1:\n%s", code, findings)
			}
		})
	}
}
