// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// multiKueue as managedBy: of a TrainJob, the Trainer leaves it alone; of a
// JobSet, JobSet's controller does, so that a test plays it.
const multiKueue = "kueue.x-k8s.io/multikueue"

// pairs are TrainJobs with JobSets whose statuses the test writes.
type pairs struct {
	t         *testing.T
	client    client.WithWatch
	namespace string
	count     int
	wanted    []atomic.Int32 // the counter that was written last, for each
}

func pairName(i int) string { return fmt.Sprintf("run-%d", i) }

// makePairs makes them eight at a time.
func makePairs(t *testing.T, namespace string, count int, edit func(*jobset.JobSet)) *pairs {
	t.Helper()
	withRuntime(t)
	p := &pairs{t: t, client: typedClient(t), namespace: namespace, count: count, wanted: make([]atomic.Int32, count)}
	p.each(func(i int) error {
		js := playedJobSet(namespace, pairName(i))
		edit(js)
		if err := p.client.Create(t.Context(), js); err != nil {
			return err
		}
		return p.client.Create(t.Context(), handedOver(namespace, pairName(i)))
	})
	return p
}

func handedOver(namespace, name string) *trainer.TrainJob {
	manager := multiKueue
	return &trainer.TrainJob{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec:       trainer.TrainJobSpec{ManagedBy: &manager, RuntimeRef: trainer.RuntimeRef{Name: mirrorRuntime}},
	}
}

func playedJobSet(namespace, name string) *jobset.JobSet {
	manager := multiKueue
	var job batchv1.JobTemplateSpec
	job.Spec.Template.Spec.Containers = []corev1.Container{{Name: "node", Image: "example.com/train:1"}}
	return &jobset.JobSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"trainyard.dev/trainjob": name}, Annotations: map[string]string{}},
		Spec: jobset.JobSetSpec{
			ManagedBy:      &manager,
			ReplicatedJobs: []jobset.ReplicatedJob{{Name: "node", Replicas: 1, Template: job}},
		},
	}
}

// each calls eight at a time.
func (p *pairs) each(do func(i int) error) {
	p.t.Helper()
	next, wait := make(chan int), sync.WaitGroup{}
	for range 8 {
		wait.Go(func() {
			for i := range next {
				if err := do(i); err != nil {
					p.t.Error(err)
				}
			}
		})
	}
	for i := range p.count {
		next <- i
	}
	close(next)
	wait.Wait()
	if p.t.Failed() {
		p.t.FailNow()
	}
}

// report is JobSet's controller: it writes a counter.
func (p *pairs) report(i int, active int32) error {
	patch := fmt.Sprintf(`{"status":{"replicatedJobsStatus":[{"name":"node","ready":0,"succeeded":0,"failed":0,"active":%d,"suspended":0}]}}`, active)
	js := &jobset.JobSet{ObjectMeta: metav1.ObjectMeta{Namespace: p.namespace, Name: pairName(i)}}
	p.wanted[i].Store(active)
	return p.client.Status().Patch(p.t.Context(), js, client.RawPatch(types.MergePatchType, []byte(patch)))
}

// wrong counts the TrainJobs that don't say what was reported last.
func (p *pairs) wrong() error {
	var list trainer.TrainJobList
	if err := p.client.List(p.t.Context(), &list, client.InNamespace(p.namespace)); err != nil {
		return err
	}
	shown := map[string]int32{}
	for _, tj := range list.Items {
		for _, job := range tj.Status.JobsStatus {
			shown[tj.Name] = *job.Active
		}
	}
	wrong := 0
	for i := range p.count {
		if shown[pairName(i)] != p.wanted[i].Load() {
			wrong++
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d TrainJobs don't say what their JobSet says", wrong, p.count)
	}
	return nil
}
