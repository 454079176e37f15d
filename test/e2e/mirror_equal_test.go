// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/test/e2e/plane"
)

// mirrorRuntime is what every TrainJob of these tests names: the Trainer's
// webhook refuses one whose runtime is missing.
const mirrorRuntime = "mirror-plain"

// duo is the same training twice: one that the Trainer runs, and one whose
// JobSet is a copy of the Trainer's and whose status comes from the mirror.
type duo struct {
	t         *testing.T
	client    client.WithWatch
	namespace string
	name      string
}

func (d duo) theirs() string { return d.name + "-trainer" }
func (d duo) ours() string   { return d.name + "-mirror" }

// newDuo makes both; edit shapes the runtime of this training, and job both
// TrainJobs.
func newDuo(t *testing.T, namespace, name string, pod metav1.ObjectMeta, job func(*trainer.TrainJobSpec)) duo {
	t.Helper()
	d := duo{t: t, client: typedClient(t), namespace: namespace, name: name}
	d.make(trainingRuntime(namespace, name, pod))
	kind := trainer.TrainingRuntimeKind
	spec := trainer.TrainJobSpec{RuntimeRef: trainer.RuntimeRef{Name: name, Kind: &kind}}
	job(&spec)
	d.make(&trainer.TrainJob{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: d.theirs()}, Spec: spec})
	copied := d.copyOfTheirs()
	manager := multiKueue
	spec.ManagedBy = &manager
	d.make(&trainer.TrainJob{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: d.ours()}, Spec: spec})
	d.make(copied)
	return d
}

// trainingRuntime has two jobs, one after the other: their order in the status
// must not be a matter of luck.
func trainingRuntime(namespace, name string, pod metav1.ObjectMeta) *trainer.TrainingRuntime {
	job := func(name string, meta metav1.ObjectMeta, labels map[string]string) jobset.ReplicatedJob {
		template := batchv1.JobTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}}
		template.Spec.BackoffLimit = new(int32(0))
		template.Spec.Template = corev1.PodTemplateSpec{ObjectMeta: meta}
		template.Spec.Template.Spec.Containers = []corev1.Container{{Name: name, Image: "example.com/train:1"}}
		return jobset.ReplicatedJob{Name: name, Replicas: 1, Template: template}
	}
	rt := &trainer.TrainingRuntime{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	node := job("node", pod, map[string]string{"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"})
	node.DependsOn = []jobset.DependsOn{{Name: "prepare", Status: jobset.DependencyComplete}}
	rt.Spec.Template.Spec.ReplicatedJobs = []jobset.ReplicatedJob{job("prepare", metav1.ObjectMeta{}, nil), node}
	return rt
}

func (d duo) make(o client.Object) {
	d.t.Helper()
	if err := d.client.Create(d.t.Context(), o); err != nil {
		d.t.Fatal(err)
	}
}

// copyOfTheirs waits for the JobSet that the Trainer makes.
func (d duo) copyOfTheirs() *jobset.JobSet {
	d.t.Helper()
	var made jobset.JobSet
	eventually(d.t, func() error {
		return d.client.Get(d.t.Context(), client.ObjectKey{Namespace: d.namespace, Name: d.theirs()}, &made)
	})
	return &jobset.JobSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: d.namespace, Name: d.ours(), Labels: map[string]string{"trainyard.dev/trainjob": d.ours()}},
		Spec:       *made.Spec.DeepCopy(),
	}
}

func (d duo) trainJob(name string) *trainer.TrainJob {
	d.t.Helper()
	var tj trainer.TrainJob
	if err := d.client.Get(d.t.Context(), client.ObjectKey{Namespace: d.namespace, Name: name}, &tj); err != nil {
		d.t.Fatal(err)
	}
	return &tj
}

// suspend switches both: theirs by the TrainJob, ours by the JobSet, as Kueue does.
func (d duo) suspend(is bool) {
	d.t.Helper()
	eventually(d.t, func() error {
		tj := d.trainJob(d.theirs())
		tj.Spec.Suspend = &is
		return d.client.Update(d.t.Context(), tj)
	})
	eventually(d.t, func() error {
		js := liveJobSet(d.t, d.namespace, d.ours())
		js.Spec.Suspend = &is
		return d.client.Update(d.t.Context(), js)
	})
}

// equal waits until the mirror says what the Trainer says and want holds.
func (d duo) equal(want func(trainer.TrainJobStatus) error) {
	d.t.Helper()
	eventually(d.t, func() error {
		theirs, ours := d.trainJob(d.theirs()).Status, d.trainJob(d.ours()).Status
		if err := want(theirs); err != nil {
			return fmt.Errorf("the Trainer: %w", err)
		}
		if diff := cmp.Diff(d.written(theirs), ours, cmpopts.IgnoreFields(metav1.Condition{}, "LastTransitionTime")); diff != "" {
			return fmt.Errorf("the Trainer -, the mirror +:\n%s", diff)
		}
		return nil
	})
}

// written is the Trainer's status but for the differences that docs/mirror.md
// has: no trace of a suspension that is over, and the order of the spec. JobSet's
// messages name Jobs, which bear other names here.
func (d duo) written(s trainer.TrainJobStatus) trainer.TrainJobStatus {
	s = *s.DeepCopy()
	s.Conditions = slices.DeleteFunc(s.Conditions, func(c metav1.Condition) bool {
		return c.Type == trainer.TrainJobSuspended && c.Status == metav1.ConditionFalse
	})
	if len(s.Conditions) == 0 {
		s.Conditions = nil
	}
	for i := range s.Conditions {
		s.Conditions[i].Message = strings.ReplaceAll(s.Conditions[i].Message, d.theirs(), d.ours())
	}
	place := map[string]int{"prepare": 0, "node": 1}
	slices.SortFunc(s.JobsStatus, func(a, b trainer.JobStatus) int { return place[a.Name] - place[b.Name] })
	return s
}

func says(kind string) func(trainer.TrainJobStatus) error {
	return func(s trainer.TrainJobStatus) error {
		for _, c := range s.Conditions {
			if c.Type == kind && c.Status == metav1.ConditionTrue {
				return nil
			}
		}
		return fmt.Errorf("is not %s: %+v", kind, s)
	}
}

// active wants so many active Jobs "node", and no condition that is true.
func active(n int32) func(trainer.TrainJobStatus) error {
	return func(s trainer.TrainJobStatus) error {
		for _, c := range s.Conditions {
			if c.Status == metav1.ConditionTrue {
				return fmt.Errorf("is %s", c.Type)
			}
		}
		for _, job := range s.JobsStatus {
			if job.Name == "node" && *job.Active == n {
				return nil
			}
		}
		return fmt.Errorf("has not %d active Jobs: %+v", n, s)
	}
}

func plainly(*trainer.TrainJobSpec) {}

// TestMirrorEqualsTrainer runs each training twice and compares what is written
// on the two TrainJobs.
func TestMirrorEqualsTrainer(t *testing.T) {
	space := namespace(t)
	startMirror(t, space).ready()
	held := metav1.ObjectMeta{Annotations: plane.Hold}

	t.Run("completes", func(t *testing.T) {
		newDuo(t, space, "completes", metav1.ObjectMeta{}, plainly).equal(says(trainer.TrainJobComplete))
	})
	t.Run("fails", func(t *testing.T) {
		d := newDuo(t, space, "fails", metav1.ObjectMeta{Labels: plane.Fail}, plainly)
		d.equal(says(trainer.TrainJobFailed))
	})
	t.Run("suspended, resumed and suspended again", func(t *testing.T) {
		d := newDuo(t, space, "suspended", held, func(s *trainer.TrainJobSpec) { s.Suspend = new(true) })
		d.equal(says(trainer.TrainJobSuspended))
		d.suspend(false)
		d.equal(active(1))
		if got := d.trainJob(d.ours()).Status.Conditions; len(got) > 0 {
			t.Errorf("kubectl prints the State %s of a running job", got[len(got)-1].Type)
		}
		d.suspend(true)
		d.equal(says(trainer.TrainJobSuspended))
	})
	t.Run("JobSet deleted after the end", func(t *testing.T) {
		d := newDuo(t, space, "deleted", metav1.ObjectMeta{}, plainly)
		d.equal(says(trainer.TrainJobComplete))
		for _, name := range []string{d.theirs(), d.ours()} {
			if err := d.client.Delete(t.Context(), liveJobSet(t, space, name)); err != nil {
				t.Fatal(err)
			}
		}
		version := d.trainJob(d.ours()).ResourceVersion
		eventually(t, func() error { return gone(t, d, d.ours()) })
		time.Sleep(2 * time.Second)
		d.equal(says(trainer.TrainJobComplete))
		if got := d.trainJob(d.ours()).ResourceVersion; got != version {
			t.Error("a finished TrainJob was written after its JobSet was gone")
		}
	})
	t.Run("deadline", func(t *testing.T) { testDeadline(t, space, held) })
	t.Run("handed over, without a JobSet", func(t *testing.T) {
		d := duo{t: t, client: typedClient(t), namespace: space, name: "alone"}
		withRuntime(t)
		d.make(handedOver(space, d.ours()))
		time.Sleep(3 * time.Second)
		if got := d.trainJob(d.ours()).Status; !cmp.Equal(got, trainer.TrainJobStatus{}) {
			t.Errorf("somebody wrote %+v", got)
		}
	})
}

// The Trainer ends a job by its own clock; rendered, the deadline is the Jobs',
// and the verdict is JobSet's. Both fail.
func testDeadline(t *testing.T, space string, held metav1.ObjectMeta) {
	d := newDuo(t, space, "deadline", held, func(s *trainer.TrainJobSpec) { s.ActiveDeadlineSeconds = 20 })
	js := liveJobSet(t, space, d.ours())
	if err := d.client.Delete(t.Context(), js); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error { return gone(t, d, d.ours()) })
	made := &jobset.JobSet{ObjectMeta: metav1.ObjectMeta{Namespace: space, Name: d.ours(), Labels: js.Labels}, Spec: js.Spec}
	for i := range made.Spec.ReplicatedJobs {
		made.Spec.ReplicatedJobs[i].Template.Spec.ActiveDeadlineSeconds = new(int64(20))
	}
	d.make(made)
	for _, name := range []string{d.theirs(), d.ours()} {
		eventually(t, func() error { return says(trainer.TrainJobFailed)(d.trainJob(name).Status) })
	}
	if got := d.trainJob(d.ours()).Status.Conditions[0]; got.Reason != "FailedJobs" {
		t.Errorf("the reason is %s, want JobSet's", got.Reason)
	}
}

func gone(t *testing.T, d duo, name string) error {
	t.Helper()
	err := d.client.Get(t.Context(), client.ObjectKey{Namespace: d.namespace, Name: name}, &jobset.JobSet{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return fmt.Errorf("JobSet %s is still there: %v", name, err)
}

// withRuntime sees to it that the runtime of handedOver is in the cluster.
func withRuntime(t *testing.T) {
	t.Helper()
	rt := &trainer.ClusterTrainingRuntime{ObjectMeta: metav1.ObjectMeta{Name: mirrorRuntime}}
	rt.Spec = trainingRuntime("", mirrorRuntime, metav1.ObjectMeta{}).Spec
	if err := typedClient(t).Create(t.Context(), rt); err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
}
