// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcehelper "k8s.io/component-helpers/resource"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/finding"
)

// A gang is the pods that must all be placed before any of them starts. It can
// form only if its pods are made at the same time, so it is one level of the
// jobs' dependencies: the one that holds the training pods.

// gang lists the replicated jobs whose pods form the job's gang.
func gang(j Job) []jobset.ReplicatedJob {
	levels := levels(j.Spec)
	level := levels[training(j)]
	var members []jobset.ReplicatedJob
	for _, r := range j.Spec.ReplicatedJobs {
		if levels[r.Name] == level {
			members = append(members, r)
		}
	}
	return members
}

// training is the name of the job whose pods train.
func training(j Job) string {
	if _, ok := j.Replicated(Node); ok && j.Framework == MPI {
		return Node
	}
	r, _ := j.TrainerJob()
	return r.Name
}

// levels says for each replicated job how many others must come first. A job
// can depend on earlier ones alone.
func levels(spec jobset.JobSetSpec) map[string]int {
	inOrder := spec.StartupPolicy != nil && spec.StartupPolicy.StartupPolicyOrder == jobset.InOrder
	level := map[string]int{}
	for i, r := range spec.ReplicatedJobs {
		if inOrder {
			level[r.Name] = i
		}
		for _, d := range r.DependsOn {
			level[r.Name] = max(level[r.Name], level[d.Name]+1)
		}
	}
	return level
}

// markGang lays the mark on the pods of the gang alone.
func markGang(j Job, mark Metadata) map[string]JobLayer {
	jobs := map[string]JobLayer{}
	for _, r := range gang(j) {
		jobs[r.Name] = JobLayer{PodMetadata: mark}
	}
	return jobs
}

// mostMembers is what the field of a PodGroup holds.
const mostMembers = math.MaxInt32

// gangSize is the number of pods and what they ask for together. It counts no
// further than one beyond the most.
func gangSize(j Job) (members int64, requests corev1.ResourceList) {
	requests = corev1.ResourceList{}
	for _, r := range gang(j) {
		count := int64(Pods(r)) * int64(max(r.Replicas, 1))
		members = min(members+count, mostMembers+1)
		for name, quantity := range PodRequests(Pod(r)) {
			quantity.Mul(count)
			sum := requests[name]
			sum.Add(quantity)
			requests[name] = sum
		}
	}
	return members, requests
}

// tooManyMembers: each job may have as many pods as a PodGroup can count, and
// all together more.
func tooManyMembers(j Job) []finding.Finding {
	if members, _ := gangSize(j); members <= mostMembers {
		return nil
	}
	return []finding.Finding{finding.Errorf(finding.CountOverflow, "spec.runtimeRef",
		"the gang has more than %d pods, which is the most that a PodGroup counts; lower the replicas of the jobs that start with the training pods", mostMembers)}
}

// PodRequests are those of one pod as Kubernetes will have them: a limit
// without a request is the request.
func PodRequests(pod corev1.PodSpec) corev1.ResourceList {
	pod.Containers = limitsAsRequests(pod.Containers)
	pod.InitContainers = limitsAsRequests(pod.InitContainers)
	if pod.Resources != nil {
		pod.Resources = new(limitAsRequest(*pod.Resources))
	}
	return resourcehelper.PodRequests(&corev1.Pod{Spec: pod}, resourcehelper.PodResourcesOptions{})
}

func limitsAsRequests(containers []corev1.Container) []corev1.Container {
	containers = slices.Clone(containers)
	for i, c := range containers {
		containers[i].Resources = limitAsRequest(c.Resources)
	}
	return containers
}

func limitAsRequest(r corev1.ResourceRequirements) corev1.ResourceRequirements {
	r.Requests = Overlay(r.Limits, r.Requests)
	return r
}

// gpusOutside warns of pods that ask for GPUs without the gang's protection.
func gpusOutside(j Job) []finding.Finding {
	inside := map[string]bool{}
	for _, r := range gang(j) {
		inside[r.Name] = true
	}
	var found []finding.Finding
	for _, r := range j.Spec.ReplicatedJobs {
		if requests := PodRequests(Pod(r)); !inside[r.Name] && len(gpuNames(requests)) > 0 {
			found = append(found, finding.Warningf(finding.GangSplit, "spec.runtimeRef",
				"the job %s asks for %s but starts before or after the training pods, so the gang does not reserve it; let both start together, or expect it to wait",
				r.Name, gpuNames(requests)[0]))
		}
	}
	return found
}

// Pods is the number of pods that run at a time in each replica of the job.
func Pods(r jobset.ReplicatedJob) int32 {
	if p := r.Template.Spec.Parallelism; p != nil {
		return max(*p, 1)
	}
	return 1
}

// unknownPriorityClasses warns of names that are not in the package.
func unknownPriorityClasses(j Job) []finding.Finding {
	known := append([]string{"", "system-cluster-critical", "system-node-critical"}, j.PriorityClasses...)
	var found []finding.Finding
	for _, r := range j.Spec.ReplicatedJobs {
		if name := Pod(r).PriorityClassName; !slices.Contains(known, name) {
			found = append(found, finding.Warningf(finding.PriorityClassUnknown, "spec.runtimeRef",
				"the runtime's job %s has the PriorityClass %s, which is not among the files, and the job is refused if the cluster lacks it; add its manifest to the package to have it checked", r.Name, name))
		}
	}
	return found
}
