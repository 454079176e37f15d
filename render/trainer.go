// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/policy"
)

// The steps of the TrainJob's trainer block. The first trainer job is scaled;
// image, command, args and env reach all of them.

// scaled sets the number of pods of every job, and one replica of each that
// plays a step of the training. MPI's policy scales its own.
func scaled(j policy.Job) policy.Job {
	first, _ := j.TrainerJob()
	jobs := map[string]policy.JobLayer{}
	for _, r := range j.Spec.ReplicatedJobs {
		l := policy.JobLayer{Pods: new(pods(j, r, r.Name == first.Name))}
		if isStep(r) {
			l.Replicas = new(int32(1))
		}
		jobs[r.Name] = l
	}
	return j.With(policy.Layer{Jobs: jobs})
}

func pods(j policy.Job, r jobset.ReplicatedJob, first bool) int32 {
	switch {
	case policy.Step(r) != policy.StepTrainer || j.Framework == policy.MPI:
		return policy.Pods(r)
	case first:
		return j.Nodes
	case j.MLPolicy.NumNodes != nil:
		return max(*j.MLPolicy.NumNodes, 1)
	case j.HasMLPolicy:
		return 1
	default:
		return policy.Pods(r)
	}
}

func isStep(r jobset.ReplicatedJob) bool {
	return slices.Contains([]string{policy.StepTrainer, policy.StepDataset, policy.StepModel}, policy.Step(r))
}

// withTrainer lays what the trainer block says of the containers.
func withTrainer(j policy.Job) policy.Job {
	said := policy.ContainerLayer{Image: j.Trainer.Image, Command: j.Trainer.Command, Args: j.Trainer.Args, Env: j.Trainer.Env}
	if said.Image == nil && said.Command == nil && said.Args == nil && len(said.Env) == 0 {
		return j
	}
	l := onTrainers(j, said)
	_, trains := l.Jobs[policy.Node]
	if r, ok := j.Replicated(policy.Node); ok && !trains && j.LauncherIsNode() {
		l.Jobs[policy.Node] = onNode(r, policy.ContainerLayer{Env: j.Trainer.Env})
	}
	return j.With(l)
}

// withResources merges resourcesPerNode into the training containers, key by
// key: the TrainJob's win, the runtime's others stay, and so do claims.
func withResources(j policy.Job) policy.Job {
	if j.Trainer.ResourcesPerNode == nil {
		return j
	}
	jobs := map[string]policy.JobLayer{}
	for _, r := range j.Spec.ReplicatedJobs {
		c, ok := policy.Container(policy.Pod(r), policy.Node)
		if ok && (policy.Step(r) == policy.StepTrainer || r.Name == policy.Node && j.LauncherIsNode()) {
			jobs[r.Name] = onNode(r, policy.ContainerLayer{Resources: new(merged(c.Resources, *j.Trainer.ResourcesPerNode))})
		}
	}
	return j.With(policy.Layer{Jobs: jobs})
}

func merged(under, over corev1.ResourceRequirements) corev1.ResourceRequirements {
	return corev1.ResourceRequirements{
		Limits:   policy.Overlay(under.Limits, over.Limits),
		Requests: policy.Overlay(under.Requests, over.Requests),
		Claims:   mergedClaims(under.Claims, over.Claims),
	}
}

func mergedClaims(under, over []corev1.ResourceClaim) []corev1.ResourceClaim {
	claims := slices.Clone(under)
	for _, claim := range over {
		i := slices.IndexFunc(claims, func(c corev1.ResourceClaim) bool { return c.Name == claim.Name })
		if i < 0 {
			claims = append(claims, claim)
		} else {
			claims[i] = claim
		}
	}
	return claims
}

func onTrainers(j policy.Job, c policy.ContainerLayer) policy.Layer {
	jobs := map[string]policy.JobLayer{}
	for r := range j.TrainerJobs() {
		jobs[r.Name] = onNode(r, c)
	}
	return policy.Layer{Jobs: jobs}
}

// onNode lays c on the job's training container, if it has one.
func onNode(r jobset.ReplicatedJob, c policy.ContainerLayer) policy.JobLayer {
	if _, ok := policy.Container(policy.Pod(r), policy.Node); !ok {
		return policy.JobLayer{}
	}
	return policy.JobLayer{Containers: map[string]policy.ContainerLayer{policy.Node: c}}
}
