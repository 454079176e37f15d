// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"slices"
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/policy"
)

// What the Job controller and JobSet's webhook for pods write.
const (
	completionIndexVar = "JOB_COMPLETION_INDEX"
	priorityLabel      = "jobset.sigs.k8s.io/priority"

	maxGenerateName = 58 // a name of 63 less the five characters that the API server adds
)

// Pods are what a JobSet would make, as if nothing waited for anything: its
// volume claims, then each of its Jobs, each followed by the pods that it
// starts with. Names end where the API server would add five characters; UIDs
// and all that a cluster adds are left out.
//
// Source: JobSet v0.12.0 (controllers, webhook for pods), Kubernetes v1.36 (Job
// controller).
func Pods(js *jobset.JobSet) []runtime.Object {
	js = withDefaults(js)
	made := claims(js)
	for _, r := range js.Spec.ReplicatedJobs {
		for i := range r.Replicas {
			job := newJob(js, r, i)
			made = append(made, job)
			for index := range podsAtFirst(job) {
				made = append(made, newPod(job, index))
			}
		}
	}
	return made
}

func podsAtFirst(job *batchv1.Job) int32 {
	pods := int32(1)
	if p := job.Spec.Parallelism; p != nil {
		pods = *p
	}
	if c := job.Spec.Completions; c != nil {
		pods = min(pods, *c)
	}
	return pods
}

// newPod is the pod of one index; of a Job that is not indexed it is one of
// several that are the same but for their names.
func newPod(job *batchv1.Job, index int32) *corev1.Pod {
	template := job.Spec.Template.DeepCopy()
	pod := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        podName(job.Name, index),
			Namespace:   job.Namespace,
			Labels:      policy.Overlay(template.Labels, map[string]string{batchv1.JobNameLabel: job.Name, "job-name": job.Name}),
			Annotations: template.Annotations,
			Finalizers:  template.Finalizers,
		},
		Spec: template.Spec,
	}
	if !slices.Contains(pod.Finalizers, batchv1.JobTrackingFinalizer) {
		pod.Finalizers = append(pod.Finalizers, batchv1.JobTrackingFinalizer)
	}
	if mode := job.Spec.CompletionMode; mode != nil && *mode == batchv1.IndexedCompletion {
		number(pod, job, index)
	}
	admit(pod)
	return pod
}

// podName is the prefix that the Job controller asks a name for, without its
// last dash.
func podName(job string, index int32) string {
	suffix := fmt.Sprintf("-%d", index)
	return job[:min(len(job), maxGenerateName-len(suffix)-1)] + suffix
}

// number tells the pod its index.
func number(pod *corev1.Pod, job *batchv1.Job, index int32) {
	completion := map[string]string{batchv1.JobCompletionIndexAnnotation: strconv.Itoa(int(index))}
	pod.Labels = policy.Overlay(pod.Labels, completion)
	pod.Annotations = policy.Overlay(pod.Annotations, completion)
	if job.Spec.BackoffLimitPerIndex != nil {
		pod.Annotations[batchv1.JobIndexFailureCountAnnotation] = "0"
	}
	pod.Spec.Hostname = fmt.Sprintf("%s-%d", job.Name, index)
	for i := range pod.Spec.InitContainers {
		indexVariable(&pod.Spec.InitContainers[i])
	}
	for i := range pod.Spec.Containers {
		indexVariable(&pod.Spec.Containers[i])
	}
}

func indexVariable(c *corev1.Container) {
	if slices.ContainsFunc(c.Env, func(e corev1.EnvVar) bool { return e.Name == completionIndexVar }) {
		return
	}
	c.Env = append(c.Env, corev1.EnvVar{Name: completionIndexVar, ValueFrom: &corev1.EnvVarSource{
		FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.labels['" + batchv1.JobCompletionIndexAnnotation + "']"},
	}})
}

// admit does what JobSet's webhook for pods does, as far as it can be known
// before a pod is placed: the priority of a class of the user's own is not, nor
// where the pods that follow a leader go.
func admit(pod *corev1.Pod) {
	if _, strategy := pod.Annotations[jobset.NodeSelectorStrategyKey]; strategy {
		return
	}
	priority := map[string]string{"": "0", "system-cluster-critical": "2000000000", "system-node-critical": "2000001000"}
	if value, known := priority[pod.Spec.PriorityClassName]; known {
		pod.Labels[priorityLabel] = value
	}
	if topology, exclusive := pod.Annotations[jobset.ExclusiveKey]; exclusive && pod.Annotations[batchv1.JobCompletionIndexAnnotation] == "0" {
		exclude(pod, topology)
	}
}

// exclude keeps the Job's pods together on one topology domain, and those of
// other Jobs of that priority out of it.
func exclude(pod *corev1.Pod, topology string) {
	orDefault(&pod.Spec.Affinity, corev1.Affinity{})
	orDefault(&pod.Spec.Affinity.PodAffinity, corev1.PodAffinity{})
	orDefault(&pod.Spec.Affinity.PodAntiAffinity, corev1.PodAntiAffinity{})
	term := func(requirements ...metav1.LabelSelectorRequirement) corev1.PodAffinityTerm {
		return corev1.PodAffinityTerm{
			LabelSelector:     &metav1.LabelSelector{MatchExpressions: requirements},
			TopologyKey:       topology,
			NamespaceSelector: &metav1.LabelSelector{},
		}
	}
	key := []string{pod.Labels[jobset.JobKey]}
	with, without := pod.Spec.Affinity.PodAffinity, pod.Spec.Affinity.PodAntiAffinity
	with.RequiredDuringSchedulingIgnoredDuringExecution = append(with.RequiredDuringSchedulingIgnoredDuringExecution,
		term(metav1.LabelSelectorRequirement{Key: jobset.JobKey, Operator: metav1.LabelSelectorOpIn, Values: key}))
	without.RequiredDuringSchedulingIgnoredDuringExecution = append(without.RequiredDuringSchedulingIgnoredDuringExecution, term(
		metav1.LabelSelectorRequirement{Key: jobset.JobKey, Operator: metav1.LabelSelectorOpExists},
		metav1.LabelSelectorRequirement{Key: jobset.JobKey, Operator: metav1.LabelSelectorOpNotIn, Values: key},
		metav1.LabelSelectorRequirement{Key: priorityLabel, Operator: metav1.LabelSelectorOpIn, Values: []string{pod.Labels[priorityLabel]}}))
}
