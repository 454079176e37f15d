// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/internal/marks"
)

// whenDenied is after how long a denied creation is tried again: what it lacks,
// a runtime or a quota, may come without a change of the JobSet.
const whenDenied = time.Minute

// trainJob makes the TrainJob that the JobSet asks for, unless somebody else
// has made one. One that was made for another spec, or for an earlier JobSet of
// the name, is deleted; its deletion wakes the mirror, which makes it again.
func (r *Reconciler) trainJob(ctx context.Context, p pair) (time.Duration, error) {
	digest, asked := p.jobSet.Annotations[marks.TrainJobSpec]
	switch tj := p.trainJob; {
	case !asked, p.past.refused == string(p.jobSet.UID)+digest:
		return 0, nil
	case tj != nil && (tj.DeletionTimestamp != nil || !madeHere(tj) || isFor(tj, p.jobSet)):
		return 0, nil
	}
	wanted, err := r.wantedTrainJob(ctx, p)
	if err != nil || wanted == nil {
		return 0, err
	}
	if p.trainJob != nil {
		return 0, r.deleteTrainJob(ctx, p)
	}
	return r.createTrainJob(ctx, p, wanted)
}

// wantedTrainJob reads the whole JobSet, which the cache does not hold. It
// returns nil if there is nothing to make.
func (r *Reconciler) wantedTrainJob(ctx context.Context, p pair) (*trainer.TrainJob, error) {
	var whole jobset.JobSet
	if err := r.Live.Get(ctx, p.key, &whole); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	if whole.UID != p.jobSet.UID || specDigest(whole.Annotations[marks.TrainJobSpec]) != p.jobSet.Annotations[marks.TrainJobSpec] {
		return nil, nil // the cache is behind, and will wake the mirror again
	}
	spec, err := trainJobSpec(&whole)
	if err != nil {
		r.refuse(p, marks.TrainJobSpec, err.Error())
		p.past.refused = string(p.jobSet.UID) + p.jobSet.Annotations[marks.TrainJobSpec]
		return nil, nil
	}
	return newTrainJob(&whole, spec), nil
}

func (r *Reconciler) createTrainJob(ctx context.Context, p pair, tj *trainer.TrainJob) (time.Duration, error) {
	err := r.Create(ctx, tj, client.FieldOwner(fieldOwner))
	switch {
	case err == nil:
		r.Metrics.wrote("trainjobs", "create")
		return 0, nil
	case apierrors.IsAlreadyExists(err): // the watch will show it
		return 0, nil
	case isDenied(err):
		r.tell(p, p.jobSet, p.jobSet.Annotations[marks.TrainJobSpec],
			notice{reason: "TrainJobDenied", action: "CreateTrainJob", note: err.Error()})
		return whenDenied, nil
	}
	return 0, fmt.Errorf("create the TrainJob: %w", err)
}

// deleteTrainJob deletes what it looked at and nothing newer.
func (r *Reconciler) deleteTrainJob(ctx context.Context, p pair) error {
	seen := client.Preconditions{UID: &p.trainJob.UID, ResourceVersion: &p.trainJob.ResourceVersion}
	err := r.Delete(ctx, p.trainJob, seen)
	switch {
	case err == nil:
		r.Metrics.wrote("trainjobs", "delete")
		return nil
	case apierrors.IsNotFound(err):
		return nil
	}
	return fmt.Errorf("delete the TrainJob: %w", err)
}

// isDenied says whether the API refused an object for what it is, so that
// trying again at once would be in vain. Its words may repeat the object's:
// they go to an Event in the object's namespace, not to the log.
func isDenied(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return false
	}
	code := status.Status().Code
	return code >= 400 && code < 500 && !apierrors.IsConflict(err) && !apierrors.IsTooManyRequests(err) &&
		!apierrors.IsTimeout(err) && !apierrors.IsUnauthorized(err) && !apierrors.IsNotFound(err)
}
