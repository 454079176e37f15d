// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	volcano "volcano.sh/apis/pkg/apis/scheduling/v1beta1"

	"github.com/trainyard/trainyard/render/policy"
)

// settle joins a TrainJob and its runtime into a job with no nil in it and the
// CRD's defaults filled in. No step has been taken yet.
func settle(name string, t *trainer.TrainJob, rt Runtime, opts Options) policy.Job {
	j := policy.Job{
		Name:            name,
		Namespace:       t.Namespace,
		Framework:       framework(rt.Spec.MLPolicy),
		HasMLPolicy:     rt.Spec.MLPolicy != nil,
		MLPolicy:        settledMLPolicy(rt.Spec.MLPolicy),
		PodGroupPolicy:  settledPodGroupPolicy(rt.Spec.PodGroupPolicy),
		RuntimeName:     t.Spec.RuntimeRef.Name,
		SSHAuthSecret:   opts.SSHAuthSecret,
		PriorityClasses: opts.PriorityClasses,
	}
	if t.Spec.Trainer != nil {
		j.Trainer = *t.Spec.Trainer
	}
	if t.Spec.Initializer != nil {
		j.Initializer = *t.Spec.Initializer
	}
	j.Nodes = nodes(j, rt)
	return j
}

func framework(p *trainer.MLPolicy) policy.Framework {
	switch {
	case p == nil:
		return policy.None
	case p.Torch != nil:
		return policy.Torch
	case p.MPI != nil:
		return policy.MPI
	case p.JAX != nil:
		return policy.JAX
	case p.XGBoost != nil:
		return policy.XGBoost
	case p.Flux != nil:
		return policy.Flux
	default:
		return policy.None
	}
}

// nodes is the number of training nodes: the TrainJob's, else the runtime's.
func nodes(j policy.Job, rt Runtime) int32 {
	switch {
	case j.Trainer.NumNodes != nil:
		return *j.Trainer.NumNodes
	case j.Framework == policy.MPI:
		return mpiNodes(j, rt.Spec.Template.Spec)
	case j.MLPolicy.NumNodes != nil:
		return max(*j.MLPolicy.NumNodes, 1)
	case j.HasMLPolicy:
		return 1
	default:
		return podsOf(rt.Spec.Template.Spec, func(r jobset.ReplicatedJob) bool { return policy.Step(r) == policy.StepTrainer })
	}
}

// mpiNodes: a runtime that says 1 leaves the number of workers to its template.
func mpiNodes(j policy.Job, template jobset.JobSetSpec) int32 {
	if n := j.MLPolicy.NumNodes; n != nil && *n > 1 {
		return *n
	}
	workers := podsOf(template, func(r jobset.ReplicatedJob) bool {
		return r.Name == policy.Node && policy.Step(r) != policy.StepTrainer
	})
	if j.LauncherIsNode() {
		return workers + 1
	}
	return workers
}

func podsOf(template jobset.JobSetSpec, is func(jobset.ReplicatedJob) bool) int32 {
	if i := slices.IndexFunc(template.ReplicatedJobs, is); i >= 0 {
		return policy.Pods(template.ReplicatedJobs[i])
	}
	return 1
}

func settledMLPolicy(p *trainer.MLPolicy) trainer.MLPolicy {
	if p == nil {
		return trainer.MLPolicy{}
	}
	p = p.DeepCopy()
	if mpi := p.MPI; mpi != nil {
		orDefault(&mpi.NumProcPerNode, 1)
		orDefault(&mpi.MPIImplementation, trainer.MPIImplementationOpenMPI)
		orDefault(&mpi.SSHAuthMountPath, "/root/.ssh")
		orDefault(&mpi.RunLauncherAsNode, false)
	}
	return *p
}

func settledPodGroupPolicy(p *trainer.PodGroupPolicy) trainer.PodGroupPolicy {
	if p == nil {
		return trainer.PodGroupPolicy{}
	}
	p = p.DeepCopy()
	if p.Coscheduling != nil {
		orDefault(&p.Coscheduling.ScheduleTimeoutSeconds, 60)
	}
	if p.Volcano != nil && p.Volcano.NetworkTopology != nil {
		topology := p.Volcano.NetworkTopology
		orDefault(&topology.HighestTierAllowed, 1)
		if topology.Mode == "" {
			topology.Mode = volcano.HardNetworkTopologyMode
		}
	}
	return *p
}

func orDefault[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}
