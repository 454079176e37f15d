// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/finding"
)

// Runtime is what a TrainJob's runtimeRef resolved to. Both kinds of runtime
// carry the same spec.
type Runtime struct {
	Kind, Name string
	Labels     map[string]string
	Spec       trainer.TrainingRuntimeSpec
}

// Result is everything one rendering produces.
type Result struct {
	JobSet     *jobset.JobSet    // nil when a finding is an error
	Companions []runtime.Object  // what must stand beside the JobSet: hostfile, PodGroup
	Findings   []finding.Finding // Object is filled in; Position is not
	Sources    []Source          // who set each leaf; only with Options.Explain
}

// Source says who set one leaf of the JobSet.
type Source struct {
	Path       string   // "spec.replicatedJobs[name=node].template…image"
	Setter     string   // "TrainJob spec.trainer.image"
	Overridden []string // earlier setters, first to last, each with the value it gave
}

// Render turns a TrainJob and the runtime it names into a JobSet.
// It is a pure function: it reads its arguments, changes neither, and reads
// nothing else.
func Render(job *trainer.TrainJob, rt Runtime, opts Options) Result {
	panic("being written")
}
