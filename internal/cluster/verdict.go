// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"time"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
)

// Verdict is what is to be done with a TrainJob in git.
type Verdict struct {
	Decision   Decision
	Why        string
	Annotation string // to write on it; empty: none
	Value      string
}

// Decision is what becomes of a TrainJob.
type Decision string

// The decisions.
const (
	Done   Decision = "done"   // its run has ended and must not run again
	Leave  Decision = "leave"  // the Trainer in the cluster keeps it
	Switch Decision = "switch" // it can be rendered
	Wait   Decision = "wait"   // nothing to be done now
)

// several is said of a TrainJob that leaves its namespace to whoever applies it.
var several = Verdict{Decision: Wait, Why: "several namespaces have one of that name; write its namespace"}

// Finished says whether the run that was rendered of a TrainJob has ended. The
// digest is the TrainJob's: of another one the run was another.
func (s State) Finished(namespace, name, digest string) Verdict {
	if s.ambiguous(namespace, name) {
		return several
	}
	sets := s.rendered(namespace, name)
	if len(sets) == 0 {
		return Verdict{Decision: Wait, Why: "it has no JobSet in the cluster"}
	}
	for _, js := range sets {
		when, ended := end(js.Status.Conditions, string(jobset.JobSetCompleted), string(jobset.JobSetFailed))
		switch {
		case js.Annotations[marks.SourceDigest] != digest:
			continue
		case ended:
			return Verdict{Done, "its JobSet " + js.Name + " has ended", marks.Completed, when}
		default:
			return Verdict{Decision: Wait, Why: "its JobSet " + js.Name + " has not ended"}
		}
	}
	return Verdict{Decision: Wait, Why: "it was edited since its JobSet was rendered"}
}

// Migrate says what is to be done with a TrainJob that the Trainer in the
// cluster may be running: what runs is left to it, what has ended is marked,
// what is not there can be rendered.
func (s State) Migrate(namespace, name, digest string) Verdict {
	if s.ambiguous(namespace, name) {
		return several
	}
	job, set := s.applied(namespace, name)
	if job == nil {
		if len(s.rendered(namespace, name)) > 0 {
			return s.Finished(namespace, name, digest)
		}
		return Verdict{Decision: Switch, Why: "it is not in the cluster"}
	}
	if job.Spec.ManagedBy != nil && *job.Spec.ManagedBy != marks.TrainerItself {
		return Verdict{Decision: Switch, Why: "the Trainer does not run it: it is managed by " + *job.Spec.ManagedBy}
	}
	if when, ended := end(job.Status.Conditions, trainer.TrainJobComplete, trainer.TrainJobFailed); ended {
		return Verdict{Done, "the Trainer has run it", marks.Completed, when}
	}
	if set != nil {
		if when, ended := end(set.Status.Conditions, string(jobset.JobSetCompleted), string(jobset.JobSetFailed)); ended {
			return Verdict{Done, "the Trainer has run it", marks.Completed, when}
		}
	}
	why := "the Trainer runs it"
	if !started(set) {
		why = "it waits for the Trainer and has not started; to switch it, delete it in the cluster and migrate again"
	}
	return Verdict{Leave, why, marks.Render, marks.RenderDisabled}
}

// started reports whether a JobSet has ever had pods.
func started(js *jobset.JobSet) bool {
	if js == nil {
		return false
	}
	suspended := js.Spec.Suspend != nil && *js.Spec.Suspend
	for _, r := range js.Status.ReplicatedJobsStatus {
		if r.Active+r.Ready+r.Succeeded+r.Failed > 0 {
			return true
		}
	}
	return !suspended
}

// end is when a run ended, in words that go into git.
func end(conditions []metav1.Condition, completed, failed string) (when string, ended bool) {
	if c := meta.FindStatusCondition(conditions, completed); c != nil && c.Status == metav1.ConditionTrue {
		return c.LastTransitionTime.UTC().Format(time.RFC3339), true
	}
	if c := meta.FindStatusCondition(conditions, failed); c != nil && c.Status == metav1.ConditionTrue {
		return c.LastTransitionTime.UTC().Format(time.RFC3339) + ", failed", true
	}
	return "", false
}
