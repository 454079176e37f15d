// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/render/policy"
)

// pair is what the questions of fit are asked about: a TrainJob, its runtime,
// and the job that they make with the runtimePatches laid and no layer yet.
type pair struct {
	t      *trainer.TrainJob
	rt     Runtime
	job    policy.Job
	scaled policy.Job // the job as the policies see it: with its pods and resources
	opts   Options
}

// fit asks whether the TrainJob fits its runtime. Findings on the runtime name
// it as their object.
func fit(p pair) []finding.Finding {
	onRuntime := slices.Concat(deprecated(p), unsupported(p), implementation(p), sshPath(p), peers(p), noJobs(p), runtimeCounts(p), stepJobs(p), ttls(p))
	onTrainJob := slices.Concat(
		counts(p), patches(p), p.job.Faults, initializer(p), labels(p), commands(p), effects(p), replaced(p), policy.Check(p.scaled), day2(p))
	return slices.Concat(
		finding.About(runtimeRef(p.t, p.rt), onRuntime),
		finding.About(trainJobRef(p.t), onTrainJob))
}

func deprecated(p pair) []finding.Finding {
	if p.rt.Labels[marks.Support] != "deprecated" {
		return nil
	}
	return []finding.Finding{finding.Warningf(finding.RuntimeDeprecated, "metadata.labels["+marks.Support+"]",
		"%s %s is deprecated and goes away in a later release of the Trainer; move %s to another runtime", p.rt.Kind, p.rt.Name, p.t.Name)}
}

func unsupported(p pair) []finding.Finding {
	if p.job.Framework != policy.Flux {
		return nil
	}
	return []finding.Finding{finding.Errorf(finding.UnsupportedPolicy, "spec.mlPolicy.flux",
		"the flux policy is not rendered yet; leave this TrainJob to the Trainer in the cluster (annotation %s: disabled)", marks.Render)}
}

// implementation: the CRD takes an empty one too, with which the Trainer fails.
func implementation(p pair) []finding.Finding {
	mpi := p.job.MLPolicy.MPI
	if mpi == nil || *mpi.MPIImplementation == trainer.MPIImplementationOpenMPI {
		return nil
	}
	return []finding.Finding{finding.Errorf(finding.UnsupportedPolicy, "spec.mlPolicy.mpi.mpiImplementation",
		"is %q, and only %s is known; write that, or leave the field out", *mpi.MPIImplementation, trainer.MPIImplementationOpenMPI)}
}

// sshPath: the CRD takes an empty one too, at which nothing can be mounted.
func sshPath(p pair) []finding.Finding {
	mpi := p.job.MLPolicy.MPI
	if mpi == nil || *mpi.SSHAuthMountPath != "" {
		return nil
	}
	return []finding.Finding{finding.Errorf(finding.PodMount, "spec.mlPolicy.mpi.sshAuthMountPath",
		"is empty; name the folder of the SSH keys, or leave the field out for /root/.ssh")}
}

func noJobs(p pair) []finding.Finding {
	if len(p.rt.Spec.Template.Spec.ReplicatedJobs) > 0 {
		return nil
	}
	return []finding.Finding{finding.Errorf(finding.NoJobs, "spec.template.spec.replicatedJobs",
		"is empty, and a JobSet with no jobs never runs; add the job that trains")}
}

// runtimeCounts: below one node or process nothing runs.
func runtimeCounts(p pair) []finding.Finding {
	var found []finding.Finding
	atLeastOne := func(field string, n *int32) {
		if n != nil && *n < 1 {
			found = append(found, finding.Errorf(finding.NodeCount, field, "must be at least 1; it is %d", *n))
		}
	}
	if policy := p.rt.Spec.MLPolicy; policy != nil {
		atLeastOne("spec.mlPolicy.numNodes", policy.NumNodes)
		if policy.MPI != nil {
			atLeastOne("spec.mlPolicy.mpi.numProcPerNode", policy.MPI.NumProcPerNode)
		}
	}
	return found
}

func counts(p pair) []finding.Finding {
	var found []finding.Finding
	if n := p.job.Trainer.NumNodes; n != nil && *n < 1 {
		found = append(found, finding.Errorf(finding.NodeCount, "spec.trainer.numNodes", "must be at least 1; it is %d", *n))
	}
	if n := p.job.Trainer.NumProcPerNode; n != nil && *n < 1 {
		found = append(found, finding.Errorf(finding.NodeCount, "spec.trainer.numProcPerNode", "must be at least 1; it is %d", *n))
	}
	return found
}

func replicated(spec jobset.JobSetSpec, name string) (jobset.ReplicatedJob, bool) {
	return policy.Job{Spec: spec}.Replicated(name)
}
