// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/test/e2e/health"
)

// record rewrites the states that health's own tests read.
var record = flag.Bool("record", false, "record the states of real JobSets in health/testdata")

// TestJobSetHealth brings JobSets into each state that there is and asks Argo
// CD's check what it makes of the live object.
func TestJobSetHealth(t *testing.T) {
	for _, c := range []struct {
		state, training, cpus, want string
		edit                        func(*trainer.TrainJob)
	}{
		{"queued", "held", "0", "Suspended: waits in queue queue", nil},
		{"running", "held", "64", "Progressing: node 1/1 ready", nil},
		{"completed", "queued", "64", "Healthy: completed", nil},
		{"failed", "failing", "0", "Degraded: jobset failed due to one or more job failures (first failed job: failing-node-0)", nil},
		{"suspended", "held", "0", "Suspended: suspended", func(job *trainer.TrainJob) { job.Labels = nil }},
		{"initializing", "initializing", "64", "Progressing: dataset-initializer 1/1 ready, " +
			"model-initializer 1/1 ready, node waits for dataset-initializer to be Complete", nil},
		{"unschedulable", "held", "1000", "Progressing: node 0/1 ready", tooBig},
	} {
		t.Run(c.state, func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			localQueue(t, space, "queue", clusterQueue(t, flavor(t, "{}"), c.cpus))
			r := training(t, c.training)
			if c.edit != nil {
				c.edit(r.job)
			}
			jobSet := rendered(t, space, r, render.Options{})[0]
			surroundings(t, space, []*unstructured.Unstructured{jobSet})
			apply(t, flux(false), jobSet)
			healthOf(t, jobSet, "jobset", c.state, c.want)
		})
	}
}

// TestTrainJobHealth does the same with TrainJobs under the Trainer, whose
// statuses are those that the mirror writes.
func TestTrainJobHealth(t *testing.T) {
	for _, c := range []struct{ state, training, want string }{
		{"suspended", "held", "Suspended: suspended, or waits in a queue"},
		{"completed", "ends", "Healthy: completed"},
		{"failed", "failing", "Degraded: jobset failed due to one or more job failures (first failed job: failing-node-0)"},
		{"running", "runs", "Progressing: node 1 ready"},
	} {
		t.Run(c.state, func(t *testing.T) {
			t.Parallel()
			r := training(t, c.training)
			inCluster(t, r)
			r.job.Namespace, r.job.Labels = namespace(t), nil
			job := encoded(t, r.job)
			if err := cluster.Client.Create(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			healthOf(t, job, "trainjob", c.state, c.want)
		})
	}
}

// inCluster installs a run's runtime.
func inCluster(t *testing.T, r run) {
	t.Helper()
	ensure(t, &trainer.ClusterTrainingRuntime{
		ObjectMeta: metav1.ObjectMeta{Name: r.runtime.Name, Labels: r.runtime.Labels}, Spec: r.runtime.Spec,
	})
	// The Trainer's webhook reads runtimes from a cache.
	eventually(t, func() error {
		asked := r.job.DeepCopy()
		asked.Namespace = "default"
		return cluster.Client.Create(t.Context(), asked, client.DryRunAll)
	})
}

// healthOf waits until Argo CD's check says what is wanted of the live object.
func healthOf(t *testing.T, object *unstructured.Unstructured, kind, state, want string) {
	t.Helper()
	check, err := os.ReadFile("../../deploy/health/argocd/" + kind + ".lua")
	if err != nil {
		t.Fatal(err)
	}
	var found *unstructured.Unstructured
	eventually(t, func() error {
		found = live(t, object)
		got, err := health.ArgoCD(string(check), found.Object)
		if is := got.Status + ": " + got.Message; is != want {
			return errors.Join(fmt.Errorf("the check says %q, want %q", is, want), err)
		}
		return err
	})
	if *record {
		write(t, filepath.Join("health", "testdata", kind+"-"+state, "object.yaml"), found)
	}
}

func tooBig(job *trainer.TrainJob) {
	job.Spec.Trainer.ResourcesPerNode.Requests[corev1.ResourceCPU] = resource.MustParse("200")
}

// write records an object without what no check reads.
func write(t *testing.T, file string, object *unstructured.Unstructured) {
	t.Helper()
	recorded := object.DeepCopy()
	recorded.SetManagedFields(nil)
	recorded.SetNamespace("team-a")
	text, err := yaml.Marshal(recorded.Object)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
