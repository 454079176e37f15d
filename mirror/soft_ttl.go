// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"fmt"
	"strconv"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
)

// maxNap is the longest wait for a soft TTL without a look at the clock, which
// may have been set meanwhile.
const maxNap = 10 * time.Minute

// softTTL deletes the Jobs of a run that ended long enough ago. The JobSet
// stays: as long as it exists, no applier makes it again and nothing runs twice.
func (r *Reconciler) softTTL(ctx context.Context, p pair) (time.Duration, error) {
	value, asked := p.jobSet.Annotations[marks.SoftTTLSeconds]
	end := jobSetEnd(p.jobSet)
	if !asked || !r.SoftTTL || end == nil || p.past.freed == p.jobSet.UID || !settled(p) {
		return 0, nil
	}
	seconds, err := strconv.ParseInt(value, 10, 32)
	if err != nil || seconds < 0 {
		r.refuse(p, marks.SoftTTLSeconds, "must be a whole number of seconds, 0 or more")
		return 0, nil //nolint:nilerr // it was refused; to try again would find the same
	}
	due := end.LastTransitionTime.Add(time.Duration(seconds) * time.Second)
	if left := due.Sub(r.Now()); left > 0 {
		return min(left, maxNap), nil
	}
	if err := r.deleteJobs(ctx, p); err != nil {
		return 0, err
	}
	p.past.freed = p.jobSet.UID
	return 0, nil
}

// settled says whether the TrainJob, if there is one for the mirror to write,
// holds the final counters: JobSet's own go to zero with the Jobs.
func settled(p pair) bool {
	return p.trainJob == nil || !handedOver(p.trainJob) || terminal(p.trainJob.Status) != nil
}

// deleteJobs deletes Jobs by the names that JobSet gives them. It can't read
// whose a Job is; but JobSet counts its own alone, and where it counts as many
// as there are names, all of them are its own.
func (r *Reconciler) deleteJobs(ctx context.Context, p pair) error {
	var whole jobset.JobSet
	if err := r.Live.Get(ctx, p.key, &whole); err != nil {
		return client.IgnoreNotFound(err)
	}
	if whole.UID != p.jobSet.UID {
		return nil
	}
	for _, name := range ownJobs(&whole) {
		job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: p.key.Namespace}}
		err := r.Delete(ctx, job, client.PropagationPolicy(metav1.DeletePropagationBackground))
		if client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("delete a Job of a finished JobSet: %w", err)
		}
		if err == nil {
			r.Metrics.wrote("jobs", "delete")
		}
	}
	return nil
}

// ownJobs names the Jobs that are certain to be this JobSet's.
func ownJobs(js *jobset.JobSet) []string {
	counted := map[string]int32{}
	for _, c := range js.Status.ReplicatedJobsStatus {
		counted[c.Name] = c.Succeeded + c.Failed
	}
	var names []string
	for _, job := range js.Spec.ReplicatedJobs {
		if counted[job.Name] != job.Replicas {
			continue
		}
		for i := range job.Replicas {
			names = append(names, fmt.Sprintf("%s-%s-%d", js.Name, job.Name, i))
		}
	}
	return names
}
