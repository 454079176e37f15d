// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"slices"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/runtimes"
)

// Where kustomize keeps the names that an object had before it renamed it, and
// what it put around them.
const (
	previousNames = "internal.config.kubernetes.io/previousNames"
	prefixes      = "internal.config.kubernetes.io/prefixes"
	suffixes      = "internal.config.kubernetes.io/suffixes"
)

// runtimeSource is a runtime of the package.
type runtimeSource struct {
	item     *resourcelist.Item
	entry    runtimes.Entry
	previous []string // names before kustomize renamed it
	broken   bool     // its findings say why; jobs that name it are not rendered
}

// addRuntime judges and decodes a runtime, once for all jobs that name it. Both
// kinds have the same fields.
func (p *Package) addRuntime(item *resourcelist.Item) {
	r, findings := p.readRuntime(item)
	p.findings = append(p.findings, locate(item, findings...)...)
	source := runtimeSource{item: item, broken: r == nil}
	source.entry = runtimes.Entry{Runtime: render.Runtime{Kind: item.Ref.Kind, Name: item.Ref.Name}, Namespace: item.Ref.Namespace}
	if r != nil {
		source.entry.Labels, source.entry.Spec = r.Labels, r.Spec
	}
	if names := item.Annotation(previousNames); names != "" {
		source.previous = strings.Split(names, ",")
	}
	p.runtimes = append(p.runtimes, source)
}

func (p *Package) readRuntime(item *resourcelist.Item) (*trainer.ClusterTrainingRuntime, []finding.Finding) {
	object, findings := judge(item)
	if p.config.WarnUnknown {
		for i, f := range findings {
			if f.Rule == finding.UnknownField {
				findings[i].Severity = finding.Warning
			}
		}
	}
	if finding.Blocking(findings) {
		return nil, findings
	}
	findings = append(findings, nullPolicies(item)...)
	r, err := decode[trainer.ClusterTrainingRuntime](object)
	if err != nil {
		return nil, append(findings, finding.Errorf(finding.WrongType, "", "%v", err))
	}
	return r, findings
}

// nullPolicies warns of a policy that is null: it is absent then, where most
// likely an empty one was meant, and the framework's variables with it.
func nullPolicies(item *resourcelist.Item) []finding.Finding {
	root, err := item.Root()
	if err != nil {
		return nil // judge said so
	}
	var findings []finding.Finding
	for _, group := range []string{"mlPolicy", "podGroupPolicy"} {
		policies := manifest.Field(manifest.Field(root, "spec"), group)
		for _, name := range []string{"torch", "mpi", "jax", "xgboost", "flux", "coscheduling", "volcano"} {
			if policy := manifest.Field(policies, name); policy != nil && policy.ShortTag() == "!!null" {
				findings = append(findings, finding.Warningf(finding.NoEffect, "spec."+group+"."+name,
					"is null, which is the same as absent; write %s: {} to have the policy", name))
			}
		}
	}
	return findings
}

// fillCatalog puts the package's runtimes over the built-in ones.
func (p *Package) fillCatalog() {
	if p.config.BuiltinRuntimes {
		p.catalog = runtimes.Builtin()
	}
	entries := make([]runtimes.Entry, 0, len(p.runtimes))
	for _, r := range p.runtimes {
		entries = append(entries, r.entry)
	}
	p.catalog = p.catalog.With(entries...)
}

// resolve finds the runtime that a TrainJob names; by the name it had before
// kustomize renamed it, if it is no built-in one's that is meant.
func (p *Package) resolve(t *trainer.TrainJob) (runtimes.Entry, []finding.Finding) {
	ref := t.Spec.RuntimeRef
	entry, found := p.catalog.Resolve(ref, t.Namespace)
	if !found || entry.BuiltIn {
		switch now := p.renamed(t); len(now) {
		case 0:
		case 1:
			return now[0].entry, nil
		default:
			return entry, []finding.Finding{finding.Errorf(finding.RuntimeMissing, "spec.runtimeRef.name",
				"%s was the name of %s and of %s before kustomize renamed them; name the one that is meant, or keep runtimes out of the renaming",
				ref.Name, now[0].entry.Name, now[1].entry.Name)}
		}
	}
	switch {
	case ref.Name == "":
		return entry, []finding.Finding{finding.Errorf(finding.MissingField, "spec.runtimeRef", "is required; name the runtime in spec.runtimeRef.name")}
	case !found:
		return entry, []finding.Finding{p.catalog.Missing(ref, t.Namespace)}
	case entry.BuiltIn:
		return entry, []finding.Finding{finding.Infof(finding.BuiltinRuntime, "spec.runtimeRef.name",
			"rendered with the built-in %s %s of Trainer %s", entry.Kind, entry.Name, runtimes.Release())}
	}
	return entry, nil
}

// renamed returns the runtimes that had the name which the TrainJob still
// calls. Where several bases had one, it is the one that was renamed as the
// TrainJob was.
func (p *Package) renamed(t *trainer.TrainJob) []runtimeSource {
	var called, alike []runtimeSource
	for _, r := range p.runtimes {
		ref := t.Spec.RuntimeRef
		ref.Name = r.entry.Name
		if _, there := p.catalog.Resolve(ref, t.Namespace); !there || !slices.Contains(r.previous, t.Spec.RuntimeRef.Name) {
			continue
		}
		called = append(called, r)
		if r.item.Annotation(prefixes) == t.Annotations[prefixes] && r.item.Annotation(suffixes) == t.Annotations[suffixes] {
			alike = append(alike, r)
		}
	}
	if len(alike) > 0 {
		return alike
	}
	return called
}

// outdated finds a runtime of a version that the Trainer does not serve: its
// fields are not those that are read here.
func (r *runtimeSource) outdated() []finding.Finding {
	if r == nil || r.item.Ref.APIVersion == trainer.GroupVersion.String() {
		return nil
	}
	return []finding.Finding{finding.Errorf(finding.OldForm, "spec.runtimeRef.name",
		"the %s %s is of %s, which the Trainer does not serve; bring it to %s", r.entry.Kind, r.entry.Name, r.item.Ref.APIVersion, trainer.GroupVersion)}
}

// source returns the runtime of the package behind an entry, or nil.
func (p *Package) source(entry runtimes.Entry) *runtimeSource {
	for i, r := range p.runtimes {
		if !entry.BuiltIn && r.entry.Kind == entry.Kind && r.entry.Name == entry.Name && r.entry.Namespace == entry.Namespace {
			return &p.runtimes[i]
		}
	}
	return nil
}
