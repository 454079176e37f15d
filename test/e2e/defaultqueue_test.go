// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render"
)

func queueless(job *trainer.TrainJob) { job.Labels, job.Spec.Suspend = nil, nil }

// TestDefaultQueue applies a training without a queue name in a namespace that
// has a LocalQueue called default. Kueue queues it there. Rendered with kueue:
// Always it lives under an applier like one that names its queue; rendered
// without, its node selector collides with the flavor's.
func TestDefaultQueue(t *testing.T) {
	for _, c := range []struct {
		kueue   render.Kueue
		by      applier
		refused bool
	}{
		{render.KueueAlways, flux(false), false},
		{render.KueueAlways, kustomizeController(false), false},
		{render.KueueAlways, kustomizeController(true), false},
		{render.KueueAuto, flux(false), true},
	} {
		t.Run(string(c.kueue)+"/"+c.by.name, func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			queue := clusterQueue(t, flavor(t, gpuFlavor), "0")
			localQueue(t, space, "default", queue)
			objects := rendered(t, space, training(t, "choosy", queueless), render.Options{Kueue: c.kueue})
			eventually(t, func() error { return queuedByDefault(t, objects[0]) })
			apply(t, c.by, objects...)
			disturbed := reapply(t, c.by, space, objects)
			giveCPUs(t, queue)
			running(t, space, "choosy", 2)
			disturbed = append(disturbed, reapply(t, c.by, space, objects)...)
			if refused := strings.Contains(strings.Join(disturbed, "\n"), "refused"); refused != c.refused || !refused && len(disturbed) > 0 {
				t.Errorf("refused: %t, want %t: %s", refused, c.refused, strings.Join(disturbed, "\n"))
			}
		})
	}
}

// queuedByDefault is nil once Kueue has seen the LocalQueue: before that it
// lets a JobSet without a queue name pass.
func queuedByDefault(t *testing.T, jobSet *unstructured.Unstructured) error {
	t.Helper()
	asked := jobSet.DeepCopy()
	if err := cluster.Client.Create(t.Context(), asked, client.DryRunAll); err != nil {
		return err
	}
	if name := asked.GetLabels()[marks.QueueName]; name != "default" {
		return fmt.Errorf("the queue is %q, want the default", name)
	}
	return nil
}

// TestManageAll restarts Kueue with manageJobsWithoutQueueName. A training
// without a queue name is held until git gives it one.
func TestManageAll(t *testing.T) {
	configureKueue(t, "manageJobsWithoutQueueName: true\n")
	space := namespace(t)
	localQueue(t, space, "queue", clusterQueue(t, flavor(t, gpuFlavor), "64"))
	always := render.Options{Kueue: render.KueueAlways}
	objects := rendered(t, space, training(t, "choosy", queueless), always)
	apply(t, argoServerSide, objects...)
	if disturbed := reapply(t, argoServerSide, space, objects); len(disturbed) > 0 {
		t.Error(strings.Join(disturbed, "\n"))
	}
	if spec := liveJobSet(t, space, "choosy").Spec; spec.Suspend == nil || !*spec.Suspend {
		t.Fatal("a training without a queue name is not held")
	}
	named := rendered(t, space, training(t, "choosy", queueless, func(job *trainer.TrainJob) {
		job.Labels = map[string]string{marks.QueueName: "queue"}
	}), always)
	apply(t, argoServerSide, named...)
	running(t, space, "choosy", 2)
}

// configureKueue restarts Kueue with one more line of configuration, until the
// test ends.
func configureKueue(t *testing.T, line string) {
	t.Helper()
	file := filepath.Join(cluster.Dir, "kueue.yaml")
	was, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	restart := func(ctx context.Context, config string) {
		var failed error
		err := cluster.RestartController(ctx, "kueue", func() { failed = os.WriteFile(file, []byte(config), 0o600) })
		if err != nil || failed != nil {
			t.Fatal(err, failed)
		}
	}
	restart(t.Context(), string(was)+line)
	t.Cleanup(func() { restart(context.Background(), string(was)) })
}
