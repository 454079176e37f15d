// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"fmt"
	"time"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/trainyard/trainyard/internal/marks"
)

// statusWrites remembers the last write, for two reasons: a cache that has not
// seen it yet must not cause another, and a second writer must not cause a war.
type statusWrites struct {
	replaced string // UID and resourceVersion of the TrainJob that the last write replaced
	jobSet   string // UID and resourceVersion of the JobSet that it was for
	inARow   int    // writes for that JobSet
}

// maxInARow is how often a status is put right for one version of a JobSet.
const maxInARow = 3

// status writes what the TrainJob should say, if it says something else.
func (r *Reconciler) status(ctx context.Context, p pair) (time.Duration, error) {
	tj := p.trainJob
	switch {
	case tj == nil, tj.DeletionTimestamp != nil, outlived(p):
		return 0, nil
	case !handedOver(tj):
		r.tell(p, tj, "", notHandedOver)
		return 0, nil
	case p.past.writes.replaced == versionOf(tj): // the cache is behind
		return 0, nil
	}
	want := Status(tj.Status, p.jobSet)
	if equality.Semantic.DeepEqual(want, tj.Status) {
		return 0, nil
	}
	if p.past.writes.inARow == maxInARow && p.past.writes.jobSet == versionOf(p.jobSet) {
		r.tell(p, tj, versionOf(p.jobSet), twoWriters)
		return 0, nil
	}
	return r.patchStatus(ctx, p, want)
}

var (
	notHandedOver = notice{
		reason: "NotHandedOver", action: "MirrorStatus",
		note: "spec.managedBy does not hand this TrainJob over, so its status is not mirrored from the JobSet of its name; " +
			"make it anew with spec.managedBy: " + marks.MultiKueue,
	}
	twoWriters = notice{
		reason: "TwoWriters", action: "MirrorStatus",
		note: "something else keeps changing this status; it is left alone until the JobSet changes. " +
			"A Trainer older than 2.3 ignores spec.managedBy: upgrade or remove it",
	}
)

// handedOver says whether the TrainJob's own controller leaves it alone.
func handedOver(tj *trainer.TrainJob) bool {
	return tj.Spec.ManagedBy != nil && *tj.Spec.ManagedBy == marks.MultiKueue
}

// outlived says whether the TrainJob was made for a JobSet that is gone, or for
// a spec that has changed: it is about to go too.
func outlived(p pair) bool {
	if !madeHere(p.trainJob) {
		return false
	}
	_, asked := p.jobSet.Annotations[marks.TrainJobSpec]
	return !metav1.IsControlledBy(p.trainJob, p.jobSet) || asked && !isFor(p.trainJob, p.jobSet)
}

// patchStatus carries the resourceVersion, so that it fails rather than undo
// what another wrote meanwhile, and names only conditions and jobsStatus.
func (r *Reconciler) patchStatus(ctx context.Context, p pair, want trainer.TrainJobStatus) (time.Duration, error) {
	was, now := p.trainJob, p.trainJob.DeepCopy()
	now.Status = want
	patch := client.MergeFromWithOptions(was, client.MergeFromWithOptimisticLock{})
	err := r.Status().Patch(ctx, now, patch, client.FieldOwner(fieldOwner))
	switch {
	case apierrors.IsNotFound(err): // deleted meanwhile
		return 0, nil
	case apierrors.IsConflict(err): // written meanwhile; the watch will show it
		return time.Second, nil
	case apierrors.IsInvalid(err):
		r.tell(p, p.trainJob, versionOf(p.jobSet), notice{reason: "StatusRefused", action: "MirrorStatus", note: err.Error()})
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("write the status of the TrainJob: %w", err)
	}
	r.Metrics.wrote("trainjobs/status", "patch")
	if now.ResourceVersion != was.ResourceVersion {
		p.past.writes.note(versionOf(was), versionOf(p.jobSet))
	}
	return 0, nil
}

func (w *statusWrites) note(replaced, jobSet string) {
	if w.jobSet != jobSet {
		w.inARow = 0
	}
	w.replaced, w.jobSet, w.inARow = replaced, jobSet, w.inARow+1
}

func versionOf(object client.Object) string {
	return string(object.GetUID()) + "/" + object.GetResourceVersion()
}
