// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// committed is what render-trainjob prints for a TrainJob of testdata/jobs.
func committed(t *testing.T, space, name string, edits ...func(*trainer.TrainJob)) []*unstructured.Unstructured {
	t.Helper()
	edits = append(edits, func(job *trainer.TrainJob) { job.Namespace = space })
	r := training(t, name, edits...)
	sources := []*unstructured.Unstructured{encoded(t, r.job)}
	for _, object := range read(t, "testdata/jobs/"+name+".yaml") {
		if object.GetKind() != "TrainJob" {
			sources = append(sources, object)
		}
	}
	objects, findings, code := command(t, "--profile", "Flux", files(t, sources...))
	if code != 0 {
		t.Fatalf("exit %d:\n%s", code, findings)
	}
	return objects
}

func called(name string) func(*trainer.TrainJob) {
	return func(job *trainer.TrainJob) { job.Name = name }
}

// TestFluxPrunes takes a training out of the artifact. It dies, and the one
// beside it does not notice.
func TestFluxPrunes(t *testing.T) {
	t.Parallel()
	space := namespace(t)
	stays, goes := committed(t, space, "runs"), committed(t, space, "runs", called("goes"))
	flux := kustomizeController(false)
	apply(t, flux, append(stays, goes...)...)
	running(t, space, "runs", 2)
	running(t, space, "goes", 2)
	ran := pods(t, space, "runs")

	apply(t, flux, stays...)
	eventually(t, func() error { return absent(t, goes[0]) })
	running(t, space, "goes", 0)
	if diff := cmp.Diff(ran, pods(t, space, "runs")); diff != "" {
		t.Errorf("the other training did not live through it:\n%s", diff)
	}
}

// absent is nil when an object is no longer in the cluster.
func absent(t *testing.T, object *unstructured.Unstructured) error {
	t.Helper()
	err := cluster.Client.Get(t.Context(), client.ObjectKeyFromObject(object), object.DeepCopy())
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return err
	default:
		return fmt.Errorf("%s %s is still there", object.GetKind(), object.GetName())
	}
}

// TestFluxSkips edits a training in git that carries ssa: IfNotPresent. The
// edit is passed over without a word.
func TestFluxSkips(t *testing.T) {
	t.Parallel()
	space := namespace(t)
	localQueue(t, space, "queue", clusterQueue(t, flavor(t, gpuFlavor), "64"))
	objects := committed(t, space, "choosy")
	apply(t, kustomizeController(false), objects...)
	running(t, space, "choosy", 2)
	was := live(t, objects[0])

	edited := committed(t, space, "choosy", func(job *trainer.TrainJob) {
		job.Labels["team"] = "a"
		*job.Spec.Trainer.Image = "example.com/train:2"
	})
	for range 3 {
		apply(t, kustomizeController(false), edited...)
	}
	if diff := cmp.Diff(content(was), content(live(t, objects[0]))); diff != "" {
		t.Errorf("the edit reached the cluster:\n%s", diff)
	}
}

// TestFluxSubstitutes applies a script with variables of its own through a
// Kustomization with postBuild. Without the profile's annotation Flux, which
// knows no such variable, applies nothing at all.
func TestFluxSubstitutes(t *testing.T) {
	const script = "torchrun --nnodes=${PET_NNODES} train.py"
	for name, c := range map[string]struct {
		naive func(*unstructured.Unstructured)
		kept  bool
	}{
		"profile":    {func(*unstructured.Unstructured) {}, true},
		"no-profile": {withoutAnnotations, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			objects := committed(t, space, "runs", func(job *trainer.TrainJob) {
				job.Spec.Trainer.Command = []string{"sh", "-c", script}
			})
			c.naive(objects[0])
			postBuild := set("postBuild", map[string]any{"substitute": map[string]any{"CLUSTER": "blue"}})
			_, err := kustomizeController(false, postBuild).apply(t.Context(), objects)
			kept := err == nil && strings.Contains(text(t, live(t, objects[0])), script)
			if kept != c.kept || !kept && !strings.Contains(err.Error(), "variable not set") {
				t.Errorf("the script is there: %t, want %t: %v", kept, c.kept, err)
			}
		})
	}
}

// healthChecks are what deploy/health/flux adds to a Kustomization.
func healthChecks(t *testing.T) edit {
	t.Helper()
	patch := read(t, "../../deploy/health/flux/health-checks.yaml")[0]
	checks, found, err := unstructured.NestedSlice(patch.Object, "spec", "healthCheckExprs")
	if err != nil || !found {
		t.Fatalf("found no health checks: %v", err)
	}
	return set("healthCheckExprs", checks)
}

// TestFluxWaits follows a Kustomization that waits for its training from the
// queue to the end.
func TestFluxWaits(t *testing.T) {
	t.Parallel()
	space := namespace(t)
	queue := clusterQueue(t, flavor(t, "{}"), "0")
	localQueue(t, space, "queue", queue)
	wait := kustomizeController(false, set("wait", true), set("timeout", "30s"), healthChecks(t))
	objects := committed(t, space, "queued")
	if _, err := wait.apply(t.Context(), objects); err == nil || !strings.Contains(err.Error(), "InProgress") {
		t.Fatalf("want a queued training to be in progress, got %v", err)
	}
	giveCPUs(t, queue)
	eventually(t, func() error {
		_, err := wait.apply(t.Context(), objects)
		return err
	})
	if state := liveJobSet(t, space, "queued").Status.TerminalState; state != string(jobset.JobSetCompleted) {
		t.Errorf("the Kustomization is ready, the training is %q", state)
	}
}

// TestFluxFails applies a training that fails. Without the health checks Flux
// calls it a success.
func TestFluxFails(t *testing.T) {
	for name, c := range map[string]struct {
		checks edit
		fails  bool
	}{
		"checks":    {healthChecks(t), true},
		"no-checks": {func(map[string]any) {}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			objects := committed(t, space, "failing")
			by := kustomizeController(false, set("wait", true), set("timeout", "30s"), c.checks)
			_, _ = by.apply(t.Context(), objects) // made; how it stands comes below
			reaches(t, space, "failing", jobset.JobSetFailed)
			_, err := by.apply(t.Context(), objects)
			if failed := err != nil && strings.Contains(err.Error(), "Failed"); failed != c.fails {
				t.Errorf("the Kustomization fails: %t, want %t: %v", failed, c.fails, err)
			}
		})
	}
}

// TestFluxWaitHolds shows what waiting costs: while a Kustomization waits for a
// training it applies nothing else.
func TestFluxWaitHolds(t *testing.T) {
	t.Parallel()
	space := namespace(t)
	wait := []edit{set("wait", true), set("timeout", "30s"), healthChecks(t)}
	first := committed(t, space, "runs")
	if _, err := offer(t.Context(), space, first, wait...); err != nil {
		t.Fatal(err)
	}
	running(t, space, "runs", 2)
	next := committed(t, space, "runs", called("next"))
	if _, err := offer(t.Context(), space, append(first, next...), wait...); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error {
		if absent(t, next[0]) == nil {
			return fmt.Errorf("the second training is not applied")
		}
		return nil
	})
	now, err := fluxStatus(t.Context(), space)
	if err != nil || now.total() == 0 {
		t.Errorf("the second training was applied while Flux waited for the first: %+v, %v", now, err)
	}
}

// TestFluxWaitSkips shows the hole in waiting: what carries ssa: IfNotPresent
// counts as healthy when Flux comes back to it, unless it is named.
func TestFluxWaitSkips(t *testing.T) {
	for name, c := range map[string]struct {
		named edit
		ready bool
	}{
		"wait": {set("wait", true), true},
		"named": {set("healthChecks", []any{map[string]any{
			"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "name": "choosy",
		}}), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			localQueue(t, space, "queue", clusterQueue(t, flavor(t, gpuFlavor), "0"))
			objects := committed(t, space, "choosy")
			inNamespace := func(spec map[string]any) {
				if checks, named := spec["healthChecks"].([]any); named {
					checks[0].(map[string]any)["namespace"] = space
				}
			}
			by := kustomizeController(false, set("timeout", "30s"), healthChecks(t), c.named, inNamespace)
			var err error
			for range 2 { // once it makes the JobSet, then it skips it
				_, err = by.apply(t.Context(), objects)
			}
			if ready := err == nil; ready != c.ready {
				t.Errorf("ready while queued: %t, want %t: %v", ready, c.ready, err)
			}
		})
	}
}
