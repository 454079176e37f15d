// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package difference

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/test/conformance/cases"
	"github.com/trainyard/trainyard/test/conformance/upstream"
)

// Which findings stand where the Trainer has nothing to say.

// tooFew: a count of nodes or processes below one.
func tooFew(g Given, f finding.Finding) bool {
	if f.Rule == finding.RuntimeReplicas && strings.HasSuffix(f.Field, ".replicas") {
		return strings.HasPrefix(f.Message, "is 0") || strings.HasPrefix(f.Message, "is -")
	}
	below := func(n *int32) bool { return n != nil && *n < 1 }
	t, p := g.Job.Spec.Trainer, g.Runtime.MLPolicy
	if f.Rule == finding.TorchtuneModel { // no recipe fits either
		return t != nil && below(t.NumNodes)
	}
	if f.Rule != finding.NodeCount {
		return false
	}
	switch f.Field {
	case "spec.trainer.numNodes":
		return t != nil && below(t.NumNodes)
	case "spec.trainer.numProcPerNode":
		return t != nil && below(t.NumProcPerNode)
	case "spec.mlPolicy.numNodes":
		return p != nil && below(p.NumNodes)
	case "spec.mlPolicy.mpi.numProcPerNode":
		return p != nil && p.MPI != nil && below(p.MPI.NumProcPerNode)
	default:
		return false
	}
}

// unknownTarget: a patch of what the runtime does not have. The Trainer takes
// it for a part of the runtime, also where it looks for one.
func unknownTarget(g Given, f finding.Finding) bool {
	switch f.Rule {
	case finding.PatchTarget:
		return strings.HasPrefix(f.Field, "spec.runtimePatches[")
	case finding.NodeCount, finding.InitializerMissing, finding.EnvInjectionTarget:
		return len(g.Template.ReplicatedJobs) != len(g.Runtime.Template.Spec.ReplicatedJobs) || moreContainers(g)
	default:
		return false
	}
}

// moreContainers: a patch has added some.
func moreContainers(g Given) bool {
	return slices.ContainsFunc(g.Runtime.Template.Spec.ReplicatedJobs, func(r jobset.ReplicatedJob) bool {
		patched := named(g.Template.ReplicatedJobs, r.Name)
		return patched != nil && (len(pod(patched).Containers) != len(pod(&r).Containers) || len(pod(patched).InitContainers) != len(pod(&r).InitContainers))
	})
}

func fluxPolicy(g Given, f finding.Finding) bool {
	return f.Rule == finding.UnsupportedPolicy && g.Runtime.MLPolicy != nil && g.Runtime.MLPolicy.Flux != nil
}

// unknownImplementation: nobody knows how to start the processes.
func unknownImplementation(g Given, f finding.Finding) bool {
	mpi := policy(&g).MPI
	return f.Rule == finding.UnsupportedPolicy && mpi != nil && mpi.MPIImplementation != nil && *mpi.MPIImplementation == ""
}

var segment = regexp.MustCompile(`[^.\[\]]+`)

// isNull: the unknown field has no value in any of the objects, of which
// kubectl names none.
func isNull(c cases.Case, p upstream.Problem) bool {
	if p.Stage != upstream.Decoding {
		return false
	}
	null := false
	for _, o := range append(slices.Clone(c.Others), c.TrainJob) {
		value, there := at(o, segment.FindAllString(p.Field, -1))
		if there && value != nil {
			return false
		}
		null = null || there
	}
	return null
}

// at is the value under a path of names and indices.
func at(value any, path []string) (found any, there bool) {
	if len(path) == 0 {
		return value, true
	}
	switch parent := value.(type) {
	case object:
		if field, there := parent[path[0]]; there {
			return at(field, path[1:])
		}
	case []any:
		if i, err := strconv.Atoi(path[0]); err == nil && i < len(parent) {
			return at(parent[i], path[1:])
		}
	}
	return nil, false
}

// DropNullLabels takes labels and annotations without a value from an object's
// metadata.
func DropNullLabels(o object) bool {
	metadata, _ := o["metadata"].(object)
	dropped := false
	for _, field := range []string{"labels", "annotations"} {
		values, _ := metadata[field].(object)
		for key, value := range values {
			if value == nil {
				delete(values, key)
				dropped = true
			}
		}
	}
	return dropped
}

// withoutJobs: there is nothing to run.
func withoutJobs(g Given, f finding.Finding) bool {
	return f.Rule == finding.NoJobs && len(g.Runtime.Template.Spec.ReplicatedJobs) == 0
}

func nameTaken(_ Given, f finding.Finding) bool { return f.Rule == finding.NameTaken }

func unknownMark(_ Given, f finding.Finding) bool { return f.Rule == finding.UnknownMark }

// queueRules: what Kueue and an applier would fight over.
func queueRules(_ Given, f finding.Finding) bool {
	return f.Rule == finding.QueueSuspend || f.Rule == finding.QueueMark
}

// later are the rules of those who read the JobSet after the Trainer: JobSet's
// webhook, the Job API and the Pod API.
var later = []finding.Rule{
	finding.JobSetName, finding.JobSetNameLength, finding.JobSetField, finding.DependsOn, finding.PolicyTarget,
	finding.FailurePolicy, finding.CountOverflow, finding.Coordinator, finding.VolumeClaim, finding.VolumeClaimMount,
	finding.JobField, finding.JobPolicy, finding.LabelValue, finding.PodRestartPolicy, finding.PodContainer,
	finding.PodResources, finding.PodVolume, finding.PodMount, finding.PodEnv, finding.PodPort, finding.PodProbe,
	finding.PodSecurity, finding.PodScheduling, finding.PodNetwork, finding.PodField,
}

func refusedLater(_ Given, f finding.Finding) bool {
	return slices.Contains(later, f.Rule) || f.Rule == finding.InvalidMetadata && strings.HasPrefix(f.Field, "spec.")
}
