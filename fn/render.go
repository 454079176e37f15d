// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"fmt"
	"runtime/debug"
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
)

// outcome is what became of one TrainJob.
type outcome struct {
	source    *resourcelist.Item
	job       *trainer.TrainJob    // nil: it could not be read, or asks for no rendering
	skipped   bool                 // it asks for no rendering
	untouched bool                 // it and its runtime are for the Trainer in the cluster
	runtime   *runtimeSource       // of the package; nil: built in or missing
	resolved  render.Runtime       // zero: missing
	objects   []runtime.Object     // the JobSet and its companions
	encoded   []encoded            // the same, as JSON
	leaves    []render.Leaf        // who set each of theirs; only if that is asked for
	result    []*resourcelist.Item // the same as items, or the frozen ones
	beside    []finding.Finding    // what hinders it from being applied beside its JobSet
	run       run
	findings  []finding.Finding
}

// renderJob takes one TrainJob from its text to its objects. A fault in this
// program becomes a finding, so that it never takes the list with it.
func (p *Package) renderJob(item *resourcelist.Item) (o outcome) {
	o.source = item
	defer func() {
		if fault := recover(); fault != nil {
			o.findings = append(o.findings, internal(fault))
		}
		o.locate()
	}()
	if o.skips(item) {
		return o
	}
	o.job, o.findings = judged[trainer.TrainJob](item)
	if o.job == nil {
		return o
	}
	if p.config.Sources == SourcesApply {
		o.beside = locate(item, appliedBeside(o.job)...)
	}
	entry, findings := p.resolve(o.job)
	o.runtime, o.resolved = p.source(entry), entry.Runtime
	findings = append(findings, o.runtime.outdated()...)
	o.run = p.earlier(o.job)
	o.findings = slices.Concat(o.findings, misread(o.job), ended(item), o.run.broken())
	switch {
	case finding.Blocking(findings) && o.run.frozen:
		o.run.differs = true
	case finding.Blocking(findings):
		o.findings = append(o.findings, findings...)
	case o.runtime == nil || !o.runtime.broken:
		o.render(p.config.Render, entry.Runtime, findings)
	}
	return o
}

// shrink drops what only reports read.
func (p *Package) shrink(o *outcome) {
	if !p.lean {
		return
	}
	o.job, o.objects, o.leaves = nil, nil, nil
	if !p.keeps(o.source) { // else it is looked at once more
		o.source.Forget()
	}
}

// locate says where each finding stands: the runtime's in its file, all others
// in the TrainJob's.
func (o *outcome) locate() {
	for i, f := range o.findings {
		if f.Position.File != "" {
			continue // its item is known: an earlier rendering
		}
		item := o.source
		if o.runtime != nil && f.Object == o.runtime.item.Ref {
			item = o.runtime.item
		}
		o.findings[i] = locate(item, f)[0]
	}
}

// render renders the job, and holds the result against the earlier one.
func (o *outcome) render(opts render.Options, rt render.Runtime, findings []finding.Finding) {
	result := render.Render(o.job, rt, opts)
	findings = append(findings, result.Findings...)
	if result.JobSet != nil {
		o.objects = append([]runtime.Object{result.JobSet}, result.Companions...)
		o.leaves = result.Sources
		var shape []finding.Finding
		o.encoded, shape = encode(o.objects)
		findings = append(findings, shape...)
	}
	if o.run.frozen {
		o.run.differs = finding.Blocking(findings) || !o.run.same(o.encoded)
	}
	if !o.run.differs { // else they speak of a rendering that nobody gets
		o.findings = append(o.findings, findings...)
	}
	if result.JobSet != nil && !o.run.frozen {
		o.findings = append(o.findings, o.run.change(o.objects, func() []render.Leaf {
			opts.Explain = true
			return render.Render(o.job, rt, opts).Sources
		})...)
	}
}

func internal(fault any) finding.Finding {
	return finding.Errorf(finding.Internal, "", "a fault in this program, please report it: %v\n%s", fault, debug.Stack())
}

// jobSetOf decodes a rendered JobSet.
func jobSetOf(item *resourcelist.Item) (*jobset.JobSet, error) {
	js, findings := judged[jobset.JobSet](item)
	if js == nil {
		return nil, fmt.Errorf("read JobSet %s: %s", item.Ref.Name, findings[0].Message)
	}
	return js, nil
}
