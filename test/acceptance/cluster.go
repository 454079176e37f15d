// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"context"
	"fmt"
	"sync"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/jobset/pkg/controllers"
)

// cluster is an API server that holds one JobSet and takes everything that is
// made for it.
type cluster struct {
	client.Client
	scheme *runtime.Scheme
	js     *jobset.JobSet

	lock   sync.Mutex // JobSet's controller makes Jobs side by side
	jobs   []*batchv1.Job
	claims []*corev1.PersistentVolumeClaim
}

func (c *cluster) Scheme() *runtime.Scheme { return c.scheme }

func (c *cluster) Get(_ context.Context, key client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	if js, ok := obj.(*jobset.JobSet); ok && c.js != nil {
		c.js.DeepCopyInto(js)
		return nil
	}
	return apierrors.NewNotFound(schema.GroupResource{}, key.Name)
}

func (c *cluster) List(context.Context, client.ObjectList, ...client.ListOption) error { return nil }

func (c *cluster) Create(_ context.Context, obj client.Object, _ ...client.CreateOption) error {
	c.lock.Lock()
	defer c.lock.Unlock()
	switch made := obj.(type) {
	case *batchv1.Job:
		c.jobs = append(c.jobs, made)
	case *corev1.PersistentVolumeClaim:
		c.claims = append(c.claims, made)
	}
	return nil
}

func (c *cluster) Status() client.SubResourceWriter { return statusWriter{} }

// statusWriter forgets what is written to a status.
type statusWriter struct{ client.SubResourceWriter }

func (statusWriter) Update(context.Context, client.Object, ...client.SubResourceUpdateOption) error {
	return nil
}

// make lets JobSet's controller make all that it would ever make for the
// JobSet. What makes it wait, and what makes it look away, is left out.
func (j *Judge) make(ctx context.Context, js *jobset.JobSet) (*cluster, error) {
	js = js.DeepCopy()
	js.Spec.ManagedBy = nil
	js.Spec.StartupPolicy = nil
	for i := range js.Spec.ReplicatedJobs {
		rj := &js.Spec.ReplicatedJobs[i]
		rj.DependsOn = nil
		rj.Replicas = min(rj.Replicas, mostReplicas)
	}
	c := &cluster{scheme: j.scheme, js: js}
	reconciler := controllers.NewJobSetReconciler(c, j.scheme, events.NewFakeRecorder(100))
	_, err := reconciler.Reconcile(ctx, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(js)})
	if err != nil {
		return nil, fmt.Errorf("reconcile JobSet: %w", err)
	}
	return c, nil
}

// mostReplicas keeps a spoiled count from making Jobs for hours.
const mostReplicas = 3
