// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"crypto/sha1" //nolint:gosec // JobSet names a Job by it; nothing is kept safe by it
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/policy"
)

// restartLabel counts the JobSet's restarts.
const restartLabel = "jobset.sigs.k8s.io/restart-attempt"

// withDefaults is a copy of the JobSet with its defaults written out.
func withDefaults(js *jobset.JobSet) *jobset.JobSet {
	js = js.DeepCopy()
	js.Spec = defaulted(policy.Job{Spec: js.Spec}).Spec
	return js
}

// newJob is the Job of one replica.
func newJob(js *jobset.JobSet, r jobset.ReplicatedJob, replica int32) *batchv1.Job {
	marks := jobMarks(js, r, replica)
	exclusive := exclusivePlacement(js, r)
	job := &batchv1.Job{
		TypeMeta: metav1.TypeMeta{APIVersion: "batch/v1", Kind: "Job"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        jobName(js, r, replica),
			Namespace:   js.Namespace,
			Labels:      policy.Overlay(r.Template.Labels, marks),
			Annotations: policy.Overlay(policy.Overlay(r.Template.Annotations, marks), exclusive),
		},
		Spec: *r.Template.Spec.DeepCopy(),
	}
	template := &job.Spec.Template
	template.Labels = policy.Overlay(template.Labels, marks)
	template.Annotations = policy.Overlay(policy.Overlay(template.Annotations, marks), exclusive)
	if *js.Spec.Network.EnableDNSHostnames {
		template.Spec.Subdomain = policy.Job{Name: js.Name, Spec: js.Spec}.Subdomain()
	}
	if hasKey(job.Annotations, jobset.ExclusiveKey) && hasKey(job.Annotations, jobset.NodeSelectorStrategyKey) {
		onReservedNodes(job)
	}
	job.Spec.Suspend = new(js.Spec.Suspend != nil && *js.Spec.Suspend)
	template.Spec.Volumes = append(template.Spec.Volumes, claimVolumes(js, template.Spec)...)
	return job
}

func jobName(js *jobset.JobSet, r jobset.ReplicatedJob, replica int32) string {
	return fmt.Sprintf("%s-%s-%d", js.Name, r.Name, replica)
}

// jobMarks are what JobSet writes as labels and as annotations on a Job and its
// pods, but for the JobSet's UID.
func jobMarks(js *jobset.JobSet, r jobset.ReplicatedJob, replica int32) map[string]string {
	key := sha1.Sum([]byte(js.Namespace + "/" + jobName(js, r, replica))) //nolint:gosec // see the import
	inGroup := func(other jobset.ReplicatedJob) bool { return other.GroupName == r.GroupName }
	anywhere := func(jobset.ReplicatedJob) bool { return true }
	marks := map[string]string{
		jobset.JobSetNameKey:         js.Name,
		jobset.ReplicatedJobNameKey:  r.Name,
		restartLabel:                 "0",
		jobset.ReplicatedJobReplicas: number32(r.Replicas),
		jobset.GlobalReplicasKey:     strconv.Itoa(replicas(js.Spec.ReplicatedJobs, anywhere)),
		jobset.JobIndexKey:           number32(replica),
		jobset.JobKey:                hex.EncodeToString(key[:]),
		jobset.JobGlobalIndexKey:     strconv.Itoa(int(replica) + replicas(before(js, r), anywhere)),
		jobset.GroupNameKey:          r.GroupName,
		jobset.GroupReplicasKey:      strconv.Itoa(replicas(js.Spec.ReplicatedJobs, inGroup)),
		jobset.JobGroupIndexKey:      strconv.Itoa(int(replica) + replicas(before(js, r), inGroup)),
	}
	if c := js.Spec.Coordinator; c != nil {
		marks[jobset.CoordinatorKey] = fmt.Sprintf("%s-%s-%d-%d.%s", js.Name, c.ReplicatedJob, c.JobIndex, c.PodIndex,
			policy.Job{Name: js.Name, Spec: js.Spec}.Subdomain())
	}
	return marks
}

// before are the replicated jobs that stand before r.
func before(js *jobset.JobSet, r jobset.ReplicatedJob) []jobset.ReplicatedJob {
	at := slices.IndexFunc(js.Spec.ReplicatedJobs, func(other jobset.ReplicatedJob) bool { return other.Name == r.Name })
	return js.Spec.ReplicatedJobs[:max(at, 0)]
}

func replicas(jobs []jobset.ReplicatedJob, counts func(jobset.ReplicatedJob) bool) int {
	sum := 0
	for _, r := range jobs {
		if counts(r) {
			sum += int(r.Replicas)
		}
	}
	return sum
}

func number32(n int32) string { return strconv.Itoa(int(n)) }

// exclusivePlacement are the annotations that ask for a topology domain for each
// Job: the replicated job's own, else the JobSet's.
func exclusivePlacement(js *jobset.JobSet, r jobset.ReplicatedJob) map[string]string {
	wanted := map[string]string{}
	for _, annotations := range []map[string]string{js.Annotations, r.Template.Annotations} {
		if !hasKey(annotations, jobset.ExclusiveKey) {
			continue
		}
		for _, key := range []string{jobset.ExclusiveKey, jobset.NodeSelectorStrategyKey} {
			if value, ok := annotations[key]; ok {
				wanted[key] = value
			}
		}
	}
	return wanted
}

func hasKey(m map[string]string, key string) bool {
	_, ok := m[key]
	return ok
}

// onReservedNodes places the Job on the nodes that were labelled for it.
func onReservedNodes(job *batchv1.Job) {
	pod := &job.Spec.Template.Spec
	pod.NodeSelector = policy.Overlay(pod.NodeSelector, map[string]string{jobset.NamespacedJobKey: job.Namespace + "_" + job.Name})
	pod.Tolerations = append(pod.Tolerations, corev1.Toleration{
		Key: jobset.NoScheduleTaintKey, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule,
	})
}
