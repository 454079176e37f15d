// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package difference

import (
	"maps"
	"slices"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// How the rules find their way about a TrainJob, its runtime and a JobSet.

const (
	node     = "node"
	launcher = "launcher"
	ancestor = "trainer.kubeflow.org/trainjob-ancestor-step"
	step     = "trainer" // its value on the job that trains
)

func policy(g *Given) trainer.MLPolicy {
	if p := g.Runtime.MLPolicy; p != nil {
		return *p
	}
	return trainer.MLPolicy{}
}

func launcherIsNode(g *Given) bool {
	mpi := policy(g).MPI
	return mpi != nil && mpi.RunLauncherAsNode != nil && *mpi.RunLauncherAsNode
}

func trainerJob(jobs []jobset.ReplicatedJob) *jobset.ReplicatedJob {
	return find(jobs, func(r jobset.ReplicatedJob) bool { return r.Template.Labels[ancestor] == step })
}

func named(jobs []jobset.ReplicatedJob, name string) *jobset.ReplicatedJob {
	return find(jobs, func(r jobset.ReplicatedJob) bool { return r.Name == name })
}

func container(job *jobset.ReplicatedJob, name string) *corev1.Container {
	if job == nil {
		return nil
	}
	return find(pod(job).Containers, func(c corev1.Container) bool { return c.Name == name })
}

// find returns the first that fits.
func find[T any](list []T, fits func(T) bool) *T {
	if i := slices.IndexFunc(list, fits); i >= 0 {
		return &list[i]
	}
	return nil
}

// takesResources: the job's container "node" is given resourcesPerNode.
func takesResources(g *Given, job jobset.ReplicatedJob) bool {
	return job.Template.Labels[ancestor] == step || job.Name == node && launcherIsNode(g)
}

// nodeResources are those of the container "node" of a template's job, with the
// TrainJob's merged in where they reach it.
func nodeResources(g *Given, job *jobset.ReplicatedJob) (corev1.ResourceRequirements, bool) {
	c := container(job, node)
	if c == nil {
		return corev1.ResourceRequirements{}, false
	}
	own, over := c.Resources, asked(g)
	if over == nil || !takesResources(g, *job) {
		return own, true
	}
	return corev1.ResourceRequirements{
		Limits:   merged(own.Limits, over.Limits),
		Requests: merged(own.Requests, over.Requests),
		Claims:   mergedClaims(own.Claims, over.Claims),
	}, true
}

func asked(g *Given) *corev1.ResourceRequirements {
	if g.Job.Spec.Trainer == nil {
		return nil
	}
	return g.Job.Spec.Trainer.ResourcesPerNode
}

func merged(under, over corev1.ResourceList) corev1.ResourceList {
	if len(under)+len(over) == 0 {
		return nil
	}
	sum := corev1.ResourceList{}
	maps.Copy(sum, under)
	maps.Copy(sum, over)
	return sum
}

func mergedClaims(under, over []corev1.ResourceClaim) []corev1.ResourceClaim {
	sum := slices.Clone(under)
	for _, claim := range over {
		if there := find(sum, func(c corev1.ResourceClaim) bool { return c.Name == claim.Name }); there != nil {
			*there = claim
		} else {
			sum = append(sum, claim)
		}
	}
	return sum
}

func gpuNames(list corev1.ResourceList) []corev1.ResourceName {
	names := slices.Sorted(maps.Keys(list))
	return slices.DeleteFunc(names, func(name corev1.ResourceName) bool {
		return !strings.Contains(strings.ToLower(string(name)), "gpu")
	})
}

// tunes: the Trainer takes this command for torchtune's.
func tunes(g *Given) bool {
	t := g.Job.Spec.Trainer
	return policy(g).Torch != nil && t != nil && slices.Equal(t.Command, []string{"tune", "run"})
}

func eachJob(m *Made, do func(template, made *jobset.ReplicatedJob) bool) bool {
	changed := false
	for i := range m.JobSet.Spec.ReplicatedJobs {
		made := &m.JobSet.Spec.ReplicatedJobs[i]
		template := named(m.Given.Template.ReplicatedJobs, made.Name)
		if template != nil && do(template, made) {
			changed = true
		}
	}
	return changed
}

// set gives a field a value and reports whether it had another.
func set[T comparable](field *T, value T) bool {
	if *field == value {
		return false
	}
	*field = value
	return true
}
