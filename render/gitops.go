// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"maps"
	"slices"
	"strconv"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/policy"
)

// The steps that a JobSet needs to live for months under an applier that
// applies it again and again. docs/gitops.md tells why.

// queued reports whether Kueue admits the job.
func queued(j policy.Job, opts Options) bool {
	switch opts.Kueue {
	case KueueAlways:
		return true
	case KueueNever:
		return false
	default:
		return j.Metadata.Labels[marks.QueueName] != ""
	}
}

// suspended leaves suspend to Kueue where the job is queued: its webhook sets
// it, and an applier that owned the field would suspend a running training.
func suspended(t *trainer.TrainJob, opts Options) func(policy.Job) policy.Job {
	return func(j policy.Job) policy.Job {
		j.Spec.Suspend = nil
		if t.Spec.Suspend != nil && *t.Spec.Suspend && !queued(j, opts) {
			j.Spec.Suspend = new(true)
		}
		return j
	}
}

// withoutManagedBy leaves managedBy to Kueue too: it sets it where the queue
// dispatches to other clusters, and nobody runs a JobSet that has it elsewhere.
func withoutManagedBy(j policy.Job) policy.Job {
	j.Spec.ManagedBy = nil
	return j
}

// withDeadline puts the TrainJob's deadline on each Job, since a JobSet has
// none. A failure policy would restart what the deadline ended, so its first
// rule says that it fails.
func withDeadline(t *trainer.TrainJob) func(policy.Job) policy.Job {
	seconds := t.Spec.ActiveDeadlineSeconds
	return func(j policy.Job) policy.Job {
		if seconds == 0 {
			return j
		}
		j.Spec = *j.Spec.DeepCopy()
		for i := range j.Spec.ReplicatedJobs {
			job := &j.Spec.ReplicatedJobs[i].Template.Spec
			if job.ActiveDeadlineSeconds == nil || *job.ActiveDeadlineSeconds > seconds {
				job.ActiveDeadlineSeconds = new(seconds)
			}
		}
		if p := j.Spec.FailurePolicy; p != nil {
			p.Rules = slices.Insert(p.Rules, 0, jobset.FailurePolicyRule{
				Name:                batchv1.JobReasonDeadlineExceeded,
				Action:              jobset.FailJobSet,
				OnJobFailureReasons: []string{batchv1.JobReasonDeadlineExceeded},
			})
		}
		return j
	}
}

// withoutTTL keeps a finished JobSet: deleted, the applier would make it again,
// and the training would run again.
func withoutTTL(opts Options) func(policy.Job) policy.Job {
	return func(j policy.Job) policy.Job {
		seconds := ttl(j.Spec)
		if seconds == nil || opts.TTL == TTLKeep {
			return j
		}
		j.Metadata = overlaid(j.Metadata, nil, map[string]string{marks.SoftTTLSeconds: strconv.Itoa(int(*seconds))})
		j.Spec = *j.Spec.DeepCopy()
		j.Spec.TTLSecondsAfterFinished = nil
		for i := range j.Spec.ReplicatedJobs {
			j.Spec.ReplicatedJobs[i].Template.Spec.TTLSecondsAfterFinished = nil
		}
		return j
	}
}

// ttl is the JobSet's or else the longest of its Jobs'.
func ttl(spec jobset.JobSetSpec) *int32 {
	if spec.TTLSecondsAfterFinished != nil {
		return spec.TTLSecondsAfterFinished
	}
	var longest *int32
	for _, r := range spec.ReplicatedJobs {
		if t := r.Template.Spec.TTLSecondsAfterFinished; t != nil && (longest == nil || *t > *longest) {
			longest = t
		}
	}
	return longest
}

// selectorAsAffinity says a queued job's node selectors as node affinity.
// Kueue adds the flavor's own to nodeSelector, which has one owner: an applier
// that owned it would be refused.
func selectorAsAffinity(opts Options) func(policy.Job) policy.Job {
	return func(j policy.Job) policy.Job {
		if !queued(j, opts) {
			return j
		}
		j.Spec = *j.Spec.DeepCopy()
		for i := range j.Spec.ReplicatedJobs {
			pod := &j.Spec.ReplicatedJobs[i].Template.Spec.Template.Spec
			if len(pod.NodeSelector) > 0 {
				pod.Affinity = requiring(pod.Affinity, pod.NodeSelector)
				pod.NodeSelector = nil
			}
		}
		return j
	}
}

// requiring adds the labels to each term of the required node affinity: terms
// are alternatives, so a term of its own would let nodes in that lack them.
func requiring(a *corev1.Affinity, labels map[string]string) *corev1.Affinity {
	var in []corev1.NodeSelectorRequirement
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		in = append(in, corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: []string{labels[key]}})
	}
	orDefault(&a, corev1.Affinity{})
	orDefault(&a.NodeAffinity, corev1.NodeAffinity{})
	orDefault(&a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution, corev1.NodeSelector{})
	required := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if len(required.NodeSelectorTerms) == 0 {
		required.NodeSelectorTerms = []corev1.NodeSelectorTerm{{MatchExpressions: in}}
		return a
	}
	for i := range required.NodeSelectorTerms {
		if term := &required.NodeSelectorTerms[i]; len(term.MatchExpressions)+len(term.MatchFields) > 0 { // an empty one matches no node
			term.MatchExpressions = append(term.MatchExpressions, in...)
		}
	}
	return a
}
