// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"errors"
	"time"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// fieldOwner is the mirror's name in managedFields and in Events.
const fieldOwner = "mirror-trainjob-status"

// Reconciler keeps pairs of a JobSet and a TrainJob, which share namespace and
// name. It reads from the cache, and writes only what has changed.
type Reconciler struct {
	client.Client                      // reads from the cache, where objects are stripped
	Live          client.Reader        // reads whole objects from the API server
	Events        events.EventRecorder // said once for each cause
	Now           func() time.Time     // for the soft TTL
	SSHSecrets    bool                 // make SSH Secrets
	SoftTTL       bool                 // free the Jobs of finished runs
	Metrics       *Metrics
	memory        memory
}

// pair is what one pass looks at. Either may be missing.
type pair struct {
	key      types.NamespacedName
	jobSet   *jobset.JobSet
	trainJob *trainer.TrainJob
	past     *past
}

// step does one of the mirror's tasks for a pair whose JobSet is there. It
// returns after how long to look again; 0: when something changes.
type step func(context.Context, pair) (time.Duration, error)

// Reconcile takes every step, whether or not another one failed: a Secret that
// can't be made must not hold up a status.
func (r *Reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	p, err := r.read(ctx, req.NamespacedName)
	if err != nil {
		return reconcile.Result{}, err
	}
	r.Metrics.orphan(p.key, isOrphan(p))
	if p.jobSet == nil {
		return reconcile.Result{}, nil
	}
	var soonest time.Duration
	var errs []error
	for _, take := range []step{r.secret, r.trainJob, r.status, r.softTTL} {
		after, err := take(ctx, p)
		if after > 0 && (soonest == 0 || after < soonest) {
			soonest = after
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{RequeueAfter: soonest}, nil
}

// read takes an object that is being deleted for gone: nothing is written for
// it any more.
func (r *Reconciler) read(ctx context.Context, key types.NamespacedName) (pair, error) {
	var js jobset.JobSet
	var tj trainer.TrainJob
	p := pair{key: key, jobSet: &js, trainJob: &tj}
	if err := r.Get(ctx, key, &js); apierrors.IsNotFound(err) || js.DeletionTimestamp != nil {
		p.jobSet = nil
	} else if err != nil {
		return p, err
	}
	if err := r.Get(ctx, key, &tj); apierrors.IsNotFound(err) {
		p.trainJob = nil
	} else if err != nil {
		return p, err
	}
	if p.jobSet == nil && p.trainJob == nil {
		r.memory.forget(key)
		return p, nil
	}
	p.past = r.memory.of(key)
	return p, nil
}

// isOrphan says whether nobody runs this TrainJob: its own controller leaves it
// alone, and there is no JobSet.
func isOrphan(p pair) bool {
	return p.jobSet == nil && p.trainJob != nil && p.trainJob.DeletionTimestamp == nil &&
		handedOver(p.trainJob) && terminal(p.trainJob.Status) == nil
}
