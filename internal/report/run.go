// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/render/policy"
)

// Run is a training as it would be applied.
type Run struct {
	Namespace, Name string         // of the TrainJob; of a JobSet that was not rendered its own
	JobSet          *jobset.JobSet // nil: an error hinders it
	Companions      []runtime.Object
	Sources         []render.Leaf // who set what; none: it was read as it is
	Place           func(source render.Source, path string) finding.Position
	Ended           bool // it is marked as completed, so that nothing is rendered
	Findings        []finding.Finding
}

// Runtime is the runtime that it was rendered with, as Kind/name.
func (r Run) Runtime() string {
	if r.JobSet == nil {
		return ""
	}
	return r.JobSet.Annotations[marks.Runtime]
}

// queue is the LocalQueue that it waits in.
func (r Run) queue() string {
	if r.JobSet == nil {
		return ""
	}
	return r.JobSet.Labels[marks.QueueName]
}

// PodSet is a kind of pods of a run, as Kueue asks for them.
type PodSet struct {
	Name     string              `json:"name"`
	Pods     int32               `json:"pods"`
	Requests corev1.ResourceList `json:"requests"` // of one pod
}

// podSets are those of all replicated jobs.
func (r Run) podSets() []PodSet {
	if r.JobSet == nil {
		return nil
	}
	var sets []PodSet
	for _, job := range r.JobSet.Spec.ReplicatedJobs {
		sets = append(sets, PodSet{Name: job.Name, Pods: podsOf(job), Requests: policy.PodRequests(policy.Pod(job))})
	}
	return sets
}

// podsOf counts the pods of all replicas that run at a time.
func podsOf(job jobset.ReplicatedJob) int32 {
	pods := policy.Pods(job)
	if c := job.Template.Spec.Completions; c != nil {
		pods = min(pods, *c)
	}
	return pods * max(job.Replicas, 1)
}

// total is what all pods ask for together.
func (r Run) total() corev1.ResourceList {
	total := corev1.ResourceList{}
	for _, set := range r.podSets() {
		for name, quantity := range set.Requests {
			quantity.Mul(int64(set.Pods))
			sum := total[name]
			sum.Add(quantity)
			total[name] = sum
		}
	}
	return total
}

// gpus counts the GPUs of all pods.
func (r Run) gpus() int64 { return policy.GPUs(r.total()) }

// trainer is the replicated job that trains, and its container.
func (r Run) trainer() (jobset.ReplicatedJob, corev1.Container) {
	if r.JobSet == nil || len(r.JobSet.Spec.ReplicatedJobs) == 0 {
		return jobset.ReplicatedJob{}, corev1.Container{}
	}
	job, ok := policy.Job{Spec: r.JobSet.Spec}.TrainerJob()
	if !ok {
		job = r.JobSet.Spec.ReplicatedJobs[0]
	}
	container, ok := policy.Container(policy.Pod(job), policy.Node)
	if containers := policy.Pod(job).Containers; !ok && len(containers) > 0 {
		container = containers[0]
	}
	return job, container
}

// framework is the one whose variables the training container has.
func (r Run) framework() policy.Framework {
	_, container := r.trainer()
	for _, e := range container.Env {
		switch e.Name {
		case "PET_NNODES":
			return policy.Torch
		case "JAX_NUM_PROCESSES":
			return policy.JAX
		case "DMLC_NUM_WORKER":
			return policy.XGBoost
		case "OMPI_MCA_orte_default_hostfile":
			return policy.MPI
		}
	}
	return policy.None
}

// nodes counts the training nodes: under MPI the hosts of the hostfile.
func (r Run) nodes() int {
	for _, companion := range r.Companions {
		if hosts, ok := companion.(*corev1.ConfigMap); ok && r.framework() == policy.MPI {
			return strings.Count(hosts.Data["hostfile"], "\n")
		}
	}
	if r.JobSet == nil {
		return 0
	}
	job, _ := r.trainer()
	return int(podsOf(job))
}

// processes is how many processes each node runs: a number, or a word that the
// framework's launcher takes.
func (r Run) processes() string {
	_, container := r.trainer()
	for _, e := range container.Env {
		if e.Name == "PET_NPROC_PER_NODE" || e.Name == "OMPI_MCA_orte_set_default_slots" {
			return e.Value
		}
	}
	return "1"
}
