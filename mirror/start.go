// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

const (
	passTimeout = 30 * time.Second       // of one pass: a connection may hang
	firstRetry  = 100 * time.Millisecond // of a pass that failed
	lastRetry   = 10 * time.Second       // so that all is right soon after an outage
)

// starter runs on the leader. It waits for the APIs, looks round, and starts the
// controller; a controller started before its APIs would give up.
type starter struct {
	manager.Manager
	options Options
	synced  atomic.Bool
}

// Start returns when the controller is under way; the manager keeps it.
func (s *starter) Start(ctx context.Context) error {
	cluster, err := discovery.NewDiscoveryClientForConfigAndClient(s.GetConfig(), s.GetHTTPClient())
	if err != nil {
		return fmt.Errorf("set up discovery: %w", err)
	}
	look := preflight{discovery: cluster, live: s.GetAPIReader(), log: s.GetLogger().WithName("preflight"), options: s.options}
	if err := look.waitForAPIs(ctx); err != nil {
		return nil //nolint:nilerr // it was stopped meanwhile, which is no fault
	}
	if err := look.round(ctx); err != nil {
		return err
	}
	for _, kind := range []client.Object{&jobset.JobSet{}, &trainer.TrainJob{}} {
		if _, err := s.GetCache().GetInformer(ctx, kind); err != nil {
			return fmt.Errorf("watch: %w", err)
		}
	}
	s.synced.Store(true)
	return s.addController()
}

// ready is true of a replica that waits to be elected, and of a leader that
// knows all pairs.
func (s *starter) ready(*http.Request) error {
	select {
	case <-s.Elected():
		if !s.synced.Load() {
			return errors.New("waits for the APIs of TrainJob and JobSet")
		}
	default:
	}
	return nil
}

func (s *starter) addController() error {
	counts, err := NewMetrics(metrics.Registry)
	if err != nil {
		return fmt.Errorf("register metrics: %w", err)
	}
	return (&Reconciler{
		Client:     s.GetClient(),
		Live:       s.GetAPIReader(),
		Events:     s.GetEventRecorder(fieldOwner),
		Now:        time.Now,
		SSHSecrets: s.options.SSHSecrets,
		SoftTTL:    s.options.SoftTTL,
		Metrics:    counts,
	}).SetupWithManager(s.Manager, s.options.Workers)
}

// SetupWithManager starts the reconciler whenever one of a pair changes. The two
// share their key.
func (r *Reconciler) SetupWithManager(mgr manager.Manager, workers int) error {
	retries := workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](firstRetry, lastRetry)
	return ctrl.NewControllerManagedBy(mgr).
		Named("mirror").
		For(&jobset.JobSet{}, builder.WithPredicates(changed)).
		Watches(&trainer.TrainJob{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(changed)).
		WithOptions(controller.Options{
			MaxConcurrentReconciles: workers,
			ReconciliationTimeout:   passTimeout,
			RateLimiter:             retries,
		}).
		Complete(r)
}

// changed lets an update pass if anything is different of what strip has left.
var changed = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
	was, is := unversioned(e.ObjectOld), unversioned(e.ObjectNew)
	return !equality.Semantic.DeepEqual(was, is)
}}

func unversioned(object client.Object) client.Object {
	same, ok := object.DeepCopyObject().(client.Object)
	if !ok {
		return object
	}
	same.SetResourceVersion("")
	same.SetGeneration(0)
	return same
}
