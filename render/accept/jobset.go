// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"math"

	batchv1 "k8s.io/api/batch/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/utils/ptr"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/finding"
)

// maxManagedBy is the longest managedBy, of a JobSet and of a Job.
const maxManagedBy = 63

// checkJobSet asks what JobSet's CRD and webhook ask beyond the shape of the
// object.
func checkJobSet(root spot, js *jobset.JobSet) {
	checkMetadata(root.at("metadata"), js.Labels, js.Annotations)
	checkQueueLabels(root.at("metadata", "labels").under(finding.LabelValue), js.Labels)
	checkFinalizers(root.at("metadata", "finalizers").under(finding.LabelValue), js.Finalizers)
	checkNames(root, js)
	spec := root.at("spec").opened()
	checkReplicatedJobs(spec.at("replicatedJobs"), js)
	checkNetwork(spec.at("network"), js.Spec.Network)
	checkSuccessPolicy(spec.at("successPolicy"), js)
	checkFailurePolicy(spec.at("failurePolicy"), js)
	checkCoordinator(spec.at("coordinator"), js)
	checkClaims(spec.at("volumeClaimPolicies"), js)
	checkManagedBy(spec.at("managedBy").under(finding.JobSetField), js.Spec.ManagedBy)
	if ttl := js.Spec.TTLSecondsAfterFinished; ttl != nil {
		spec.at("ttlSecondsAfterFinished").under(finding.JobSetField).notNegative(int64(*ttl))
	}
}

func checkReplicatedJobs(s spot, js *jobset.JobSet) {
	if len(js.Spec.ReplicatedJobs) == 0 {
		s.under(finding.JobSetField).warn("is empty, so nothing will ever run; add a job")
	}
	seen := names{}
	for i, rj := range js.Spec.ReplicatedJobs {
		at := s.index(i)
		seen.once(at.under(finding.JobSetName), rj.Name)
		checkCounts(at, rj)
		checkDependsOn(at.at("dependsOn").under(finding.DependsOn), js, i)
	}
}

// checkCounts keeps the pods of one replicated job countable.
func checkCounts(s spot, rj jobset.ReplicatedJob) {
	parallelism := ptr.Deref(rj.Template.Spec.Parallelism, 1)
	if int64(parallelism)*int64(rj.Replicas) > math.MaxInt32 {
		s.at("replicas").under(finding.CountOverflow).refuse(
			"replicas × parallelism must not exceed %d; it is %d × %d: lower one of them",
			math.MaxInt32, rj.Replicas, parallelism)
	}
	if rj.Replicas < 0 {
		s.at("replicas").under(finding.JobSetField).warn("is %d, so the job never runs; set it to 1 or more", rj.Replicas)
	}
}

// checkDependsOn: a job may wait only for jobs above it.
func checkDependsOn(s spot, js *jobset.JobSet, i int) {
	deps := js.Spec.ReplicatedJobs[i].DependsOn
	if len(deps) == 0 {
		return
	}
	if i == 0 {
		s.refuse("DependsOn cannot be set for the first job; move it below the job that it waits for")
	}
	if p := js.Spec.StartupPolicy; p != nil && p.StartupPolicyOrder == jobset.InOrder {
		s.refuse("cannot stand beside startupPolicy InOrder; keep one of them")
	}
	for j, dep := range deps {
		at, place := s.index(j).at("name"), position(js, dep.Name)
		switch {
		case place < 0:
			at.refuse("there is no job %q; the jobs above are %s", dep.Name, jobsAbove(js, i))
		case place > i:
			at.refuse("%q stands below; move it above the job that waits for it", dep.Name)
		case place == i && i > 0:
			at.warn("the job waits for itself and never starts; name a job above it")
		}
	}
}

// position is the place of a replicated job in the list, or -1.
func position(js *jobset.JobSet, name string) int {
	for i, rj := range js.Spec.ReplicatedJobs {
		if rj.Name == name {
			return i
		}
	}
	return -1
}

func jobsAbove(js *jobset.JobSet, i int) string {
	if i == 0 {
		return "none"
	}
	return jobNames(js.Spec.ReplicatedJobs[:i])
}

func jobNames(jobs []jobset.ReplicatedJob) string {
	all := make([]string, len(jobs))
	for i, rj := range jobs {
		all[i] = rj.Name
	}
	return list(all)
}

func checkNetwork(s spot, network *jobset.Network) {
	if network != nil && network.Subdomain != "" {
		// It names a Service, so it is a label of RFC 1035.
		s.at("subdomain").under(finding.JobSetName).
			refuseIf(isLabel1035(network.Subdomain), network.Subdomain)
	}
}

// subdomain is the last part of every pod's host name.
func subdomain(js *jobset.JobSet) string {
	if n := js.Spec.Network; n != nil && n.Subdomain != "" {
		return n.Subdomain
	}
	return js.Name
}

func checkManagedBy(s spot, manager *string) {
	if manager == nil {
		return
	}
	s.refuseAll(validation.IsDomainPrefixedPath(here, *manager))
	if len(*manager) > maxManagedBy {
		s.refuse("may have at most %d characters; it has %d", maxManagedBy, len(*manager))
	}
}

func checkMetadata(s spot, labels, annotations map[string]string) {
	s = s.under(finding.LabelValue)
	s.at("labels").refuseAll(metav1validation.ValidateLabels(oddLabels(labels), here))
	if !fit(annotations) {
		s.at("annotations").refuseAll(apivalidation.ValidateAnnotations(annotations, here))
	}
}

// isIndexed reports whether the job's pods have numbers.
func isIndexed(spec *batchv1.JobSpec) bool {
	return spec.CompletionMode != nil && *spec.CompletionMode == batchv1.IndexedCompletion
}
