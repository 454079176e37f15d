// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
)

// TestSuspendFalse: what would start a queued training at once is refused
// before anything is rendered.
func TestSuspendFalse(t *testing.T) {
	starts := false
	r := training(t, "held", func(job *trainer.TrainJob) { job.Spec.Suspend = &starts })
	if result := render.Render(r.job, r.runtime, render.Options{}); !finding.Blocking(result.Findings) {
		t.Errorf("want an error, got %v", result.Findings)
	}
}

// TestQuota queues more than the quota holds, and the applier comes back all
// the while. All of it runs, and never more at once than the quota allows. A
// rendering that says suspend: false gets past the queue.
func TestQuota(t *testing.T) {
	for name, c := range map[string]struct {
		file  string
		naive func(*unstructured.Unstructured)
		past  bool
	}{
		"omitted":       {"queued", func(*unstructured.Unstructured) {}, false},
		"suspend-false": {"held", suspend(false), true}, // held: long enough to be seen
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const runs, fit = 4, 4 // pods of 4 CPUs: two runs of two
			space := namespace(t)
			localQueue(t, space, "queue", clusterQueue(t, flavor(t, "{}"), "16"))
			var objects []*unstructured.Unstructured
			for i := range runs {
				objects = append(objects, rendered(t, space, training(t, c.file, called(fmt.Sprintf("run-%d", i))), render.Options{})...)
				c.naive(objects[i])
			}
			most := 0
			eventually(t, func() error {
				_, _ = flux(false).apply(t.Context(), objects) // whether Kueue takes it or not
				for range 5 {                                  // what starts past the queue is soon stopped
					most = max(most, holding(t, space))
					time.Sleep(50 * time.Millisecond)
				}
				if most > fit {
					return nil
				}
				return allDone(t, space, runs)
			})
			if past := most > fit; past != c.past {
				t.Errorf("%d pods at once, the quota holds %d", most, fit)
			}
		})
	}
}

// holding counts the pods of a namespace that take quota.
func holding(t *testing.T, namespace string) int {
	t.Helper()
	var all corev1.PodList
	if err := cluster.Client.List(t.Context(), &all, client.InNamespace(namespace)); err != nil {
		t.Fatal(err)
	}
	return len(slices.DeleteFunc(all.Items, func(p corev1.Pod) bool {
		return p.Status.Phase != corev1.PodRunning && p.Status.Phase != corev1.PodPending
	}))
}

func allDone(t *testing.T, namespace string, want int) error {
	t.Helper()
	var all jobset.JobSetList
	if err := cluster.Client.List(t.Context(), &all, client.InNamespace(namespace), client.HasLabels{marks.QueueName}); err != nil {
		return err
	}
	done := 0
	for _, one := range all.Items {
		if one.Status.TerminalState == string(jobset.JobSetCompleted) {
			done++
		}
	}
	if done != want {
		return fmt.Errorf("%d of %d runs are done", done, want)
	}
	return nil
}

// TestPreemption lets a more important run take the quota of one that runs,
// and the applier come back all the while. The first is queued again, and runs
// again when the other is gone; the applier has no part in it. A rendering that
// says suspend: false starts the first beside the other.
func TestPreemption(t *testing.T) {
	for name, c := range map[string]struct {
		naive   func(*unstructured.Unstructured)
		disturb bool
	}{
		"omitted":       {func(*unstructured.Unstructured) {}, false},
		"suspend-false": {suspend(false), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			low := rendered(t, space, training(t, "held"), render.Options{})
			c.naive(low[0])
			high := preempt(t, space, low)
			disturbed := reapply(t, flux(false), space, low)
			if (len(disturbed) > 0) != c.disturb {
				t.Errorf("while queued again: %s", strings.Join(disturbed, "\n"))
			}
			if c.disturb {
				return
			}
			if err := cluster.Client.Delete(t.Context(), high); err != nil {
				t.Fatal(err)
			}
			running(t, space, "held", 2)
			time.Sleep(time.Second)
			if disturbed := reapply(t, flux(false), space, low); len(disturbed) > 0 {
				t.Errorf("when admitted again: %s", strings.Join(disturbed, "\n"))
			}
		})
	}
}

// preempt lets a run take the quota of another, which is queued again, and
// returns the one that took it.
func preempt(t *testing.T, space string, low []*unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	localQueue(t, space, "queue", clusterQueue(t, flavor(t, gpuFlavor), "8"))
	class := create(t, "priority.yaml", map[string]string{}).GetName()
	apply(t, flux(false), low...)
	running(t, space, "held", 2)
	high := rendered(t, space, training(t, "held", func(job *trainer.TrainJob) {
		job.Name = "urgent"
		job.Labels[marks.KueuePrefix+"priority-class"] = class
	}), render.Options{})
	apply(t, flux(false), high...)
	running(t, space, "urgent", 2)
	running(t, space, "held", 0)
	return high[0]
}
