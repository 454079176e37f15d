// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/accept"
	"github.com/trainyard/trainyard/render/finding"
)

// review reports on what was rendered earlier; in Check mode also on what is
// missing, old, or renamed since.
func (p *Package) review(outcomes []outcome) {
	upToDate := map[*resourcelist.Item]bool{}
	for i, o := range outcomes {
		if p.config.Mode == ModeCheck {
			outcomes[i].findings = append(outcomes[i].findings, locate(o.source, o.unrendered()...)...)
		}
		for _, item := range o.run.objects {
			upToDate[item] = o.run.frozen && !o.run.differs
		}
	}
	for _, item := range p.items {
		if item.Label(marks.TrainJob) == "" || isSource(item) {
			continue
		}
		if !upToDate[item] { // else the TrainJob's own findings say it
			p.findings = append(p.findings, locate(item, p.reviewRendered(item)...)...)
		}
		if p.config.Mode == ModeCheck {
			p.findings = append(p.findings, locate(item, staleNames(item)...)...)
		}
	}
}

// unrendered says that a TrainJob has no JobSet, or an old one.
func (o outcome) unrendered() []finding.Finding {
	switch {
	case o.skipped || o.job == nil || o.run.frozen:
		return nil
	case o.run.jobSet == nil:
		return []finding.Finding{finding.Errorf(finding.Unrendered, "",
			"it has no JobSet: nothing would run it; let render-trainjob run before this check (kustomize skips it in silence without --enable-exec)")}
	}
	return []finding.Finding{finding.Errorf(finding.StaleRendering, "",
		"it was edited after its JobSet %s was rendered; render it again", o.run.jobSet.Ref.Name)}
}

// reviewRendered holds a rendered object against its schema and against what a
// cluster would accept.
func (p *Package) reviewRendered(item *resourcelist.Item) []finding.Finding {
	if !isJobSet(item) {
		_, findings := judge(item)
		return findings
	}
	js, findings := judged[jobset.JobSet](item)
	if js != nil {
		findings = append(findings, accept.Check(js)...)
	}
	return findings
}
