// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/finding"
)

// What the Job API counts up to.
const (
	maxIndexedPods         = 100_000 // parallelism, and failed indexes, of an Indexed job
	manyCompletions        = 100_000 // above it, with a limit per index, stricter rules hold
	maxIndexedPodsOfMany   = 10_000
	maxFailedIndexes       = 100_000
	maxFailedIndexesOfMany = 10_000
)

// job is a replicated job and the JobSet that makes its Jobs.
type job struct {
	*jobset.ReplicatedJob
	set *jobset.JobSet
}

// settleJob fills in what JobSet's webhook and the Job API fill in. A job with
// neither count has one pod.
func settleJob(spec *batchv1.JobSpec) {
	if spec.CompletionMode == nil {
		spec.CompletionMode = ptr.To(batchv1.IndexedCompletion)
	}
	if spec.Template.Spec.RestartPolicy == "" {
		spec.Template.Spec.RestartPolicy = corev1.RestartPolicyOnFailure
	}
}

// completions is the number of pods that must succeed; false: not told.
func completions(spec *batchv1.JobSpec) (int32, bool) {
	if spec.Completions == nil && spec.Parallelism == nil {
		return 1, true
	}
	return ptr.Deref(spec.Completions, 0), spec.Completions != nil
}

// checkJob asks what the Job API asks of a Job, and what the Pod API asks of
// its pods.
func checkJob(s spot, j job) {
	checkMetadata(s.at("metadata"), j.Template.Labels, j.Template.Annotations)
	spec := &j.Template.Spec
	at := s.at("spec").opened().under(finding.JobField)
	checkJobNumbers(at, spec)
	checkCompletionMode(at, spec)
	checkManagedBy(at.at("managedBy"), spec.ManagedBy)
	checkPodFailurePolicy(at.at("podFailurePolicy").under(finding.JobPolicy), spec)
	checkJobSuccessPolicy(at.at("successPolicy").under(finding.JobPolicy), spec)
	checkReplacement(at.at("podReplacementPolicy"), spec)
	checkSelector(at, j)
	checkRestartPolicy(at.at("template", "spec", "restartPolicy").under(finding.PodRestartPolicy), spec)
	checkPod(at.at("template"), j)
}

func checkJobNumbers(s spot, spec *batchv1.JobSpec) {
	for _, number := range []struct {
		name string
		n    *int32
	}{
		{"parallelism", spec.Parallelism},
		{"completions", spec.Completions},
		{"backoffLimit", spec.BackoffLimit},
		{"backoffLimitPerIndex", spec.BackoffLimitPerIndex},
		{"maxFailedIndexes", spec.MaxFailedIndexes},
		{"ttlSecondsAfterFinished", spec.TTLSecondsAfterFinished},
	} {
		if number.n != nil {
			s.at(number.name).notNegative(int64(*number.n))
		}
	}
	if d := spec.ActiveDeadlineSeconds; d != nil {
		s.at("activeDeadlineSeconds").notNegative(*d)
	}
	if spec.MaxFailedIndexes != nil && spec.BackoffLimitPerIndex == nil {
		s.at("backoffLimitPerIndex").refuse("is missing; maxFailedIndexes counts what it fails")
	}
}

func checkCompletionMode(s spot, spec *batchv1.JobSpec) {
	switch *spec.CompletionMode {
	case batchv1.IndexedCompletion:
		checkIndexed(s, spec)
	case batchv1.NonIndexedCompletion:
		if spec.BackoffLimitPerIndex != nil {
			s.at("backoffLimitPerIndex").refuse("needs completionMode Indexed")
		}
		if spec.MaxFailedIndexes != nil {
			s.at("maxFailedIndexes").refuse("needs completionMode Indexed")
		}
	default:
		among(s.at("completionMode"), *spec.CompletionMode, batchv1.IndexedCompletion, batchv1.NonIndexedCompletion)
	}
}

func checkIndexed(s spot, spec *batchv1.JobSpec) {
	count, told := completions(spec)
	if !told {
		s.at("completions").refuse("is missing; an Indexed job must say how many pods complete it: set it to parallelism, %d", *spec.Parallelism)
	}
	parallelism := ptr.Deref(spec.Parallelism, 1)
	if parallelism > maxIndexedPods {
		s.at("parallelism").refuse("may be at most %d for an Indexed job; it is %d", maxIndexedPods, parallelism)
	}
	if failed := spec.MaxFailedIndexes; failed != nil {
		if told && *failed > count {
			s.at("maxFailedIndexes").refuse("is %d, more than the %d completions", *failed, count)
		}
		if *failed > maxFailedIndexes {
			s.at("maxFailedIndexes").refuse("may be at most %d; it is %d", maxFailedIndexes, *failed)
		}
	}
	if count > manyCompletions && spec.BackoffLimitPerIndex != nil {
		checkMany(s, spec, parallelism)
	}
}

// checkMany: above a hundred thousand completions a limit per index costs
// memory in the Job's status.
func checkMany(s spot, spec *batchv1.JobSpec, parallelism int32) {
	if spec.MaxFailedIndexes == nil {
		s.at("maxFailedIndexes").refuse("is missing; above %d completions it must be set", manyCompletions)
	} else if *spec.MaxFailedIndexes > maxFailedIndexesOfMany {
		s.at("maxFailedIndexes").refuse("may be at most %d above %d completions; it is %d", maxFailedIndexesOfMany, manyCompletions, *spec.MaxFailedIndexes)
	}
	if parallelism > maxIndexedPodsOfMany {
		s.at("parallelism").refuse("may be at most %d above %d completions; it is %d", maxIndexedPodsOfMany, manyCompletions, parallelism)
	}
}

func checkReplacement(s spot, spec *batchv1.JobSpec) {
	policy := spec.PodReplacementPolicy
	switch {
	case policy == nil:
	case spec.PodFailurePolicy != nil:
		among(s, *policy, batchv1.Failed)
	default:
		among(s, *policy, batchv1.Failed, batchv1.TerminatingOrFailed)
	}
}

// checkRestartPolicy: a Job's pods end, and a policy on failures must see them.
func checkRestartPolicy(s spot, spec *batchv1.JobSpec) {
	switch policy := spec.Template.Spec.RestartPolicy; {
	case policy != corev1.RestartPolicyNever && policy != corev1.RestartPolicyOnFailure:
		s.refuse("must be OnFailure or Never, since the pods of a Job end; it is %q", policy)
	case spec.PodFailurePolicy != nil && policy != corev1.RestartPolicyNever:
		s.refuse("must be Never beside a podFailurePolicy, which else never sees a failure; it is %q", policy)
	}
}
