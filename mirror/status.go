// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// maxJobs is what the TrainJob's schema allows in jobsStatus.
const maxJobs = 100

// Status returns what a TrainJob's status should be, given what it was and the
// JobSet that runs it. It is pure: a condition's time is one that the JobSet
// holds.
//
// Conditions of other kinds, and trainerStatus, stay. A finished run stays as
// it is: JobSet zeroes its counters once child Jobs are gone. The condition that
// counts comes last, since kubectl prints the type of the last one as the
// State; a running job has none, as under the Trainer.
func Status(was trainer.TrainJobStatus, js *jobset.JobSet) trainer.TrainJobStatus {
	now := *was.DeepCopy()
	if finished := terminal(was); finished != nil && !isNews(js, finished.LastTransitionTime) {
		return now
	}
	now.Conditions = append(foreign(now.Conditions), conditions(js)...)
	now.JobsStatus = jobsStatus(js)
	return now
}

// terminal returns the condition that ended the run, or nil.
func terminal(s trainer.TrainJobStatus) *metav1.Condition {
	for _, kind := range []string{trainer.TrainJobComplete, trainer.TrainJobFailed} {
		if meta.IsStatusConditionTrue(s.Conditions, kind) {
			return meta.FindStatusCondition(s.Conditions, kind)
		}
	}
	return nil
}

// isNews says whether the JobSet tells of another run than the one that ended
// then: it was made anew under its name. Times tell, to the second: a JobSet that
// has not ended and is older is one that a cache shows as it was before its end.
func isNews(js *jobset.JobSet, then metav1.Time) bool {
	if end := jobSetEnd(js); end != nil {
		return end.LastTransitionTime.After(then.Time)
	}
	return !js.CreationTimestamp.Time.Before(then.Time)
}

// foreign drops the conditions that the mirror writes.
func foreign(conditions []metav1.Condition) []metav1.Condition {
	return slices.DeleteFunc(conditions, func(c metav1.Condition) bool {
		switch c.Type {
		case trainer.TrainJobComplete, trainer.TrainJobFailed, trainer.TrainJobSuspended:
			return true
		}
		return false
	})
}

// conditions are those that the JobSet calls for: how it ended, or that it is
// suspended, or none.
func conditions(js *jobset.JobSet) []metav1.Condition {
	switch end := jobSetEnd(js); {
	case end != nil:
		return []metav1.Condition{*end}
	case js.Spec.Suspend != nil && *js.Spec.Suspend:
		return []metav1.Condition{suspended(js)}
	}
	return nil
}

// jobSetEnd returns the JobSet's terminal condition under the TrainJob's name
// for it, or nil. Reason and message are JobSet's.
func jobSetEnd(js *jobset.JobSet) *metav1.Condition {
	names := [][2]string{
		{string(jobset.JobSetCompleted), trainer.TrainJobComplete},
		{string(jobset.JobSetFailed), trainer.TrainJobFailed},
	}
	for _, name := range names {
		if meta.IsStatusConditionTrue(js.Status.Conditions, name[0]) {
			end := *meta.FindStatusCondition(js.Status.Conditions, name[0])
			end.Type = name[1]
			return &end
		}
	}
	return nil
}

// suspended has the Trainer's words. Its time is JobSet's own; until JobSet has
// acted on the suspension, that of the last thing known about it.
func suspended(js *jobset.JobSet) metav1.Condition {
	since := js.CreationTimestamp
	for _, c := range js.Status.Conditions {
		if c.LastTransitionTime.After(since.Time) {
			since = c.LastTransitionTime
		}
	}
	if meta.IsStatusConditionTrue(js.Status.Conditions, string(jobset.JobSetSuspended)) {
		since = meta.FindStatusCondition(js.Status.Conditions, string(jobset.JobSetSuspended)).LastTransitionTime
	}
	return metav1.Condition{
		Type:               trainer.TrainJobSuspended,
		Status:             metav1.ConditionTrue,
		Reason:             trainer.TrainJobSuspendedReason,
		Message:            "TrainJob is suspended",
		LastTransitionTime: since,
	}
}

// jobsStatus has all five counters of each job, in the order of the spec.
func jobsStatus(js *jobset.JobSet) []trainer.JobStatus {
	var out []trainer.JobStatus
	for _, c := range inSpecOrder(js) {
		out = append(out, trainer.JobStatus{
			Name: c.Name, Ready: &c.Ready, Succeeded: &c.Succeeded,
			Failed: &c.Failed, Active: &c.Active, Suspended: &c.Suspended,
		})
	}
	return out
}

// inSpecOrder is what a TrainJob can hold of JobSet's counters, in the order of
// the spec: JobSet's own is that of a Go map, another one at each write. Jobs
// that the spec lacks come last, as they are: see strip.
func inSpecOrder(js *jobset.JobSet) []jobset.ReplicatedJobStatus {
	place := map[string]int{}
	for i, job := range js.Spec.ReplicatedJobs {
		place[job.Name] = i - len(js.Spec.ReplicatedJobs)
	}
	counts := slices.Clone(js.Status.ReplicatedJobsStatus)
	slices.SortStableFunc(counts, func(a, b jobset.ReplicatedJobStatus) int {
		return place[a.Name] - place[b.Name]
	})
	return counts[:min(len(counts), maxJobs)]
}
