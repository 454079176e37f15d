// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
)

// localConfig keeps an object out of the cluster, for kpt and kustomize; for
// Argo CD a hook does.
const localConfig = "config.kubernetes.io/local-config"

// sources decides what becomes of each TrainJob and runtime: none or one item.
func (p *Package) sources(outcomes []outcome) map[*resourcelist.Item][]*resourcelist.Item {
	stay := p.forTheTrainer(outcomes)
	sources := map[*resourcelist.Item][]*resourcelist.Item{}
	for _, o := range outcomes {
		if p.config.Sources == SourcesApply && !o.skipped {
			p.findings = append(p.findings, o.beside...)
			stay[o.source] = true
		}
	}
	for _, item := range p.items {
		if !isSource(item) {
			continue
		}
		switch {
		case stay[item]:
			sources[item] = []*resourcelist.Item{item}
		case p.keeps(item):
			sources[item] = []*resourcelist.Item{Annotated(item, p.keepMarks(item))}
		}
	}
	return sources
}

// forTheTrainer returns the TrainJobs that the Trainer in the cluster runs, and
// the runtimes that it needs for them.
func (p *Package) forTheTrainer(outcomes []outcome) map[*resourcelist.Item]bool {
	stay := map[*resourcelist.Item]bool{}
	for _, o := range outcomes {
		if !o.untouched {
			continue
		}
		stay[o.source] = true
		root, err := o.source.Root()
		if err != nil {
			continue
		}
		ref := trainer.RuntimeRef{Name: manifest.Text(root, "spec", "runtimeRef", "name")}
		if kind := manifest.Text(root, "spec", "runtimeRef", "kind"); kind != "" {
			ref.Kind = &kind
		}
		if entry, found := p.catalog.Resolve(ref, o.source.Ref.Namespace); found {
			if r := p.source(entry); r != nil {
				stay[r.item] = true
			}
		}
	}
	return stay
}

func (p *Package) keeps(item *resourcelist.Item) bool {
	switch p.config.Sources {
	case SourcesKeep:
		return true
	case SourcesDrop:
		return false
	}
	file, _ := annotatedPath(item)
	return file != ""
}

// keepMarks are the annotations of a source that stays. A hook that is there
// already is the user's, and meant for the JobSet.
func (p *Package) keepMarks(item *resourcelist.Item) map[string]string {
	keep := map[string]string{localConfig: "true"}
	argo := p.config.Render.Profile == render.ProfileAll || p.config.Render.Profile == render.ProfileArgoCD
	if argo && item.Annotation(marks.ArgoHook) == "" {
		keep[marks.ArgoHook] = "Skip"
	}
	return keep
}

// appliedBeside says what hinders a TrainJob from being applied beside its
// JobSet: a Trainer that would run it too, or a queue that would count it twice.
func appliedBeside(t *trainer.TrainJob) []finding.Finding {
	var findings []finding.Finding
	if t.Spec.ManagedBy == nil || *t.Spec.ManagedBy != marks.MultiKueue {
		findings = append(findings, finding.Errorf(finding.ApplySource, "spec.managedBy",
			"with sources: Apply the Trainer would run this TrainJob beside its JobSet; write managedBy: %s", marks.MultiKueue))
	}
	if queue := t.Labels[marks.QueueName]; queue != "" {
		findings = append(findings, finding.Errorf(finding.ApplySource, "metadata.labels["+marks.QueueName+"]",
			"with sources: Apply Kueue would count the quota of queue %s twice, for the TrainJob and for its JobSet; put the label on the runtime's template instead", queue))
	}
	return findings
}
