// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/runtimes"
)

// Input is what is rendered at once.
type Input struct {
	Items     []*resourcelist.Item
	Generator *resourcelist.Item   // a TrainJob that came as functionConfig, or nil
	Previous  []*resourcelist.Item // the last render
	Config    Config
	Findings  []finding.Finding // of whoever read the items
	Lean      bool              // nobody reads the renderings: what they hold is dropped on the way, for large packages
}

// Package is what stands among the items, sorted by the part it plays.
type Package struct {
	config   Config
	lean     bool
	items    []*resourcelist.Item // in their order; lists of sources are replaced by what they hold
	jobs     []*resourcelist.Item // TrainJobs
	owners   map[owner]bool       // the same by name
	runtimes []runtimeSource
	catalog  runtimes.Catalog
	rendered map[owner][]*resourcelist.Item // what was rendered for each TrainJob, in the list
	previous map[owner][]*resourcelist.Item // the same in the last render
	findings []finding.Finding
}

// owner names the TrainJob for which an object was rendered.
type owner struct{ namespace, name string }

// Read sorts the items and reads the runtimes among them.
func Read(in Input) *Package {
	p := &Package{
		config:   in.Config,
		lean:     in.Lean && in.Config.Mode == ModeRender,
		owners:   map[owner]bool{},
		previous: renderedAmong(in.Previous),
		findings: in.Findings,
	}
	for _, item := range in.Items {
		p.add(item)
	}
	if in.Generator != nil && !slices.ContainsFunc(p.jobs, func(i *resourcelist.Item) bool { return i.Ref == in.Generator.Ref }) {
		p.jobs = append(p.jobs, in.Generator)
	}
	for _, job := range p.jobs {
		p.owners[owner{job.Ref.Namespace, job.Ref.Name}] = true
	}
	p.rendered = renderedAmong(p.items)
	p.findings = append(p.findings, slices.Concat(p.duplicates(), p.refreshed())...)
	p.fillCatalog()
	return p
}

// add sorts an item in. A list that holds sources is taken apart.
func (p *Package) add(item *resourcelist.Item) {
	children, findings := item.Expand()
	p.findings = append(p.findings, locate(item, findings...)...)
	if slices.ContainsFunc(children, concerns) {
		host := pathAnnotations(item)
		for _, child := range children {
			p.add(Annotated(child, host))
		}
		return
	}
	p.items = append(p.items, item)
	switch {
	case len(findings) > 0:
	case len(item.Doubts) > 0:
		p.findings = append(p.findings, locate(item, item.Doubts...)...)
	case isTrainJob(item):
		p.jobs = append(p.jobs, item)
	case isRuntime(item):
		p.addRuntime(item)
	case isPriorityClass(item):
		p.config.Render.PriorityClasses = append(p.config.Render.PriorityClasses, item.Ref.Name)
	case item.Group() == oldGroup:
		_, findings := judge(item)
		p.findings = append(p.findings, locate(item, findings...)...)
	case item.Group() == trainerGroup, item.Ref.APIVersion == "" && slices.Contains(trainerKinds, item.Ref.Kind):
		p.findings = append(p.findings, locate(item, unknownKind(item))...)
	}
}

// renderedAmong finds what was rendered before, by its label.
func renderedAmong(items []*resourcelist.Item) map[owner][]*resourcelist.Item {
	rendered := map[owner][]*resourcelist.Item{}
	for _, item := range items {
		if name := item.Label(marks.TrainJob); name != "" && !isSource(item) {
			key := owner{item.Ref.Namespace, name}
			rendered[key] = append(rendered[key], item)
		}
	}
	return rendered
}

// refreshed tells of names to refresh that no TrainJob has.
func (p *Package) refreshed() []finding.Finding {
	var findings []finding.Finding
	for _, name := range p.config.Refresh {
		known := name == RefreshAll || slices.ContainsFunc(p.jobs, func(job *resourcelist.Item) bool {
			return name == job.Ref.Name || name == job.Ref.Namespace+"/"+job.Ref.Name
		})
		if !known {
			findings = append(findings, finding.Warningf(finding.FunctionConfig, "refresh",
				"no TrainJob is called %s, so nothing is rendered anew for it; correct the name, or write %s", name, RefreshAll))
		}
	}
	return findings
}

// duplicates tells of sources of one identity: one would silently win.
func (p *Package) duplicates() []finding.Finding {
	var findings []finding.Finding
	first := map[id]*resourcelist.Item{}
	for _, item := range p.items {
		if !isSource(item) || item.Ref.Name == "" {
			continue
		}
		key := idOf(item.Ref)
		if item.Ref.Kind == trainer.ClusterTrainingRuntimeKind {
			key.namespace = "" // which a transformer may have put there
		}
		before, twice := first[key]
		if !twice {
			first[key] = item
			continue
		}
		findings = append(findings, locate(item, finding.Errorf(finding.DuplicateObject, "metadata.name",
			"there are two of %s %s: this one and one %s; remove or rename one", item.Ref.Kind, item.Ref.Name, whereIs(before)))...)
	}
	return findings
}
