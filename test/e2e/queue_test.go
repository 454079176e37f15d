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

// TestQuota queues more than the quota holds. All of it runs, and never more
// at once than the quota allows.
func TestQuota(t *testing.T) {
	t.Parallel()
	const runs, fit = 4, 4 // pods of 4 CPUs: two runs of two
	space := namespace(t)
	localQueue(t, space, "queue", clusterQueue(t, flavor(t, "{}"), "16"))
	for i := range runs {
		r := training(t, "queued", func(job *trainer.TrainJob) { job.Name = fmt.Sprintf("run-%d", i) })
		apply(t, flux(false), rendered(t, space, r, render.Options{})...)
	}
	eventually(t, func() error {
		var all corev1.PodList
		if err := cluster.Client.List(t.Context(), &all, client.InNamespace(space)); err != nil {
			return err
		}
		active := slices.DeleteFunc(all.Items, func(p corev1.Pod) bool {
			return p.Status.Phase != corev1.PodRunning && p.Status.Phase != corev1.PodPending
		})
		if len(active) > fit {
			t.Errorf("%d pods at once, the quota holds %d", len(active), fit)
		}
		return allDone(t, space, runs)
	})
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
// again when the other is gone; the applier has no part in it.
func TestPreemption(t *testing.T) {
	t.Parallel()
	space := namespace(t)
	localQueue(t, space, "queue", clusterQueue(t, flavor(t, gpuFlavor), "8"))
	class := create(t, "priority.yaml", map[string]string{}).GetName()
	low := rendered(t, space, training(t, "held"), render.Options{})
	apply(t, flux(false), low...)
	running(t, space, "held", 2)

	high := rendered(t, space, training(t, "held", func(job *trainer.TrainJob) {
		job.Name = "urgent"
		job.Labels[marks.KueuePrefix+"priority-class"] = class
	}), render.Options{})
	apply(t, flux(false), high...)
	running(t, space, "urgent", 2)
	running(t, space, "held", 0)
	if disturbed := reapply(t, flux(false), space, low); len(disturbed) > 0 {
		t.Errorf("while queued again: %s", strings.Join(disturbed, "\n"))
	}
	if err := cluster.Client.Delete(t.Context(), high[0]); err != nil {
		t.Fatal(err)
	}
	running(t, space, "held", 2)
	time.Sleep(time.Second)
	if disturbed := reapply(t, flux(false), space, low); len(disturbed) > 0 {
		t.Errorf("when admitted again: %s", strings.Join(disturbed, "\n"))
	}
}
