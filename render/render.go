// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/accept"
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
	Sources    []Leaf            // who set each leaf; only with Options.Explain
}

// Render turns a TrainJob and the runtime it names into a JobSet.
// It is a pure function: it reads its arguments, changes neither, and reads
// nothing else. The JobSet shares no memory with them.
func Render(job *trainer.TrainJob, rt Runtime, opts Options) Result {
	plain := renderAs(job.Name, job, rt, opts)
	if opts.NameSuffix != NameSuffixContentHash || plain.JobSet == nil {
		return plain
	}
	return renderAs(job.Name+"-"+contentHash(plain.JobSet), job, rt, opts)
}

// renderAs renders the job under a name, which is its own or that of one run.
func renderAs(name string, t *trainer.TrainJob, rt Runtime, opts Options) Result {
	trace := newTrace(opts.Explain)
	job := trace.take(settle(name, t, rt, opts), templateSteps(t, rt))
	job.Template = job.Spec
	scaled := trace.take(job, scaleSteps(t, rt))
	findings := fit(pair{t, rt, job, scaled, opts})
	if finding.Blocking(findings) {
		return Result{Findings: findings}
	}
	job = trace.take(scaled, layerSteps(t, rt, opts))
	js := newJobSet(job)
	findings = append(findings, locate(accept.Check(js), js, t, rt, opts)...)
	if finding.Blocking(findings) {
		return Result{Findings: findings}
	}
	return Result{JobSet: js, Companions: job.Companions, Findings: findings, Sources: trace.leaves()}
}
