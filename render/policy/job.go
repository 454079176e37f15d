// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"iter"
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/finding"
)

// Framework is the one that a runtime's mlPolicy names.
type Framework string

// The frameworks. None is a runtime without one.
const (
	None    Framework = ""
	Torch   Framework = "torch"
	JAX     Framework = "jax"
	MPI     Framework = "mpi"
	XGBoost Framework = "xgboost"
	Flux    Framework = "flux"
)

// Steps that a replicated job may play, by the label on its Job template, and
// the names that go with them.
const (
	StepTrainer = "trainer"
	StepDataset = "dataset-initializer"
	StepModel   = "model-initializer"

	Node     = "node"     // the training container, and MPI's job of workers
	Launcher = "launcher" // the job that starts MPI's workers
)

// trainerPort is where the first training node listens.
const trainerPort int32 = 29500

// Metadata is the part of an object's metadata that rendering shapes.
type Metadata struct {
	Labels, Annotations map[string]string
}

// Job is a TrainJob joined to its runtime, with the steps taken so far. It is a
// value with no nil to guard; policies read it and cannot change it.
type Job struct {
	Name, Namespace string
	Nodes           int32 // training nodes; under MPI those that run processes
	Framework       Framework
	HasMLPolicy     bool             // the runtime has one, which may name no framework
	MLPolicy        trainer.MLPolicy // defaults filled in
	PodGroupPolicy  trainer.PodGroupPolicy
	Trainer         trainer.Trainer // empty, never nil
	Initializer     trainer.Initializer
	RuntimeName     string
	SSHAuthSecret   string            // of MPI; empty: the one that the mirror makes
	PriorityClasses []string          // that are known to exist
	Template        jobset.JobSetSpec // the runtime's, with its patches, before any layer
	Metadata        Metadata          // of the JobSet
	Spec            jobset.JobSetSpec // all steps so far
	Companions      []runtime.Object  // what must stand beside the JobSet
	Faults          []finding.Finding // what kept a step from being taken
}

// Step is what a replicated job is for, by the label on its Job template.
func Step(r jobset.ReplicatedJob) string { return r.Template.Labels[marks.Ancestor] }

// TrainerJobs are the replicated jobs labelled as the trainer, in order.
func (j Job) TrainerJobs() iter.Seq[jobset.ReplicatedJob] { return byStep(j.Spec, StepTrainer) }

// TrainerJob is the first of them: the one that is scaled and wired.
func (j Job) TrainerJob() (jobset.ReplicatedJob, bool) {
	for r := range j.TrainerJobs() {
		return r, true
	}
	return jobset.ReplicatedJob{}, false
}

// Replicated is the replicated job of that name.
func (j Job) Replicated(name string) (jobset.ReplicatedJob, bool) {
	i := slices.IndexFunc(j.Spec.ReplicatedJobs, func(r jobset.ReplicatedJob) bool { return r.Name == name })
	if i < 0 {
		return jobset.ReplicatedJob{}, false
	}
	return j.Spec.ReplicatedJobs[i], true
}

// LauncherIsNode reports whether MPI's launcher runs processes itself.
func (j Job) LauncherIsNode() bool {
	return j.MLPolicy.MPI != nil && *j.MLPolicy.MPI.RunLauncherAsNode
}

// Subdomain is the network name that the pods' host names end in.
func (j Job) Subdomain() string {
	if n := j.Spec.Network; n != nil && n.Subdomain != "" {
		return n.Subdomain
	}
	return j.Name
}

// Leader is the host name of the first training node.
func (j Job) Leader() string {
	name := Node
	if r, ok := j.TrainerJob(); ok {
		name = r.Name
	}
	return j.host(name, 0, 0)
}

// Hosts are the host names of a replicated job's pods, replica by replica.
func (j Job) Hosts(r jobset.ReplicatedJob, pods int32) []string {
	var hosts []string
	for replica := range max(r.Replicas, 1) {
		for pod := range pods {
			hosts = append(hosts, j.host(r.Name, replica, pod))
		}
	}
	return hosts
}

func (j Job) host(replicatedJob string, replica, pod int32) string {
	return fmt.Sprintf("%s-%s-%d-%d.%s", j.Name, replicatedJob, replica, pod, j.Subdomain())
}

// Container finds a container of a pod by name.
func Container(pod corev1.PodSpec, name string) (corev1.Container, bool) {
	i := slices.IndexFunc(pod.Containers, func(c corev1.Container) bool { return c.Name == name })
	if i < 0 {
		return corev1.Container{}, false
	}
	return pod.Containers[i], true
}

// Pod is the pod that a replicated job makes copies of.
func Pod(r jobset.ReplicatedJob) corev1.PodSpec { return r.Template.Spec.Template.Spec }

func byStep(spec jobset.JobSetSpec, step string) iter.Seq[jobset.ReplicatedJob] {
	return func(yield func(jobset.ReplicatedJob) bool) {
		for _, r := range spec.ReplicatedJobs {
			if Step(r) == step && !yield(r) {
				return
			}
		}
	}
}
