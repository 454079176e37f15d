// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
)

// Output is what came of an input.
type Output struct {
	Items    []*resourcelist.Item // those of the input if a finding is an error
	Findings []finding.Finding    // worst first
	Summary  string               // in one line

	Renderings []Rendering      // what became of each TrainJob, in their order
	Runtimes   []render.Runtime // those among the items
}

// Transform renders the TrainJobs of a package into it, or reports on it, as
// its configuration says.
func Transform(in Input) (out Output) {
	defer func() {
		if fault := recover(); fault != nil {
			out = Output{Items: in.Items, Findings: []finding.Finding{internal(fault)}, Summary: "nothing rendered"}
		}
	}()
	p := Read(in)
	outcomes := p.renderAll()
	items := p.items
	switch p.config.Mode {
	case ModeRender:
		items = p.place(outcomes)
	default:
		p.review(outcomes)
	}
	for _, o := range outcomes {
		p.findings = append(p.findings, o.findings...)
	}
	p.findings = append(p.findings, frozenRuns(outcomes)...)
	return p.output(in.Items, items, outcomes)
}

// renderAll renders the jobs side by side; the outcomes come in their order.
func (p *Package) renderAll() []outcome {
	outcomes := make([]outcome, len(p.jobs))
	parallel(len(p.jobs), func(i int) {
		outcomes[i] = p.renderJob(p.jobs[i])
		p.shrink(&outcomes[i])
	})
	return outcomes
}

// parallel calls do for each index, on all processors. If a call panics, so
// does parallel, once the others are done: errgroup would end the program.
func parallel(n int, do func(int)) {
	var wait sync.WaitGroup
	var taken atomic.Int64
	faults := make(chan any, n)
	next := func() (more bool) {
		defer func() {
			if fault := recover(); fault != nil {
				faults <- fault
			}
		}()
		i := int(taken.Add(1)) - 1
		more = i < n
		if more {
			do(i)
		}
		return more
	}
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for next() {
			}
		})
	}
	wait.Wait()
	if len(faults) > 0 {
		panic(<-faults)
	}
}

// output decides: with an error the items come out as they went in.
func (p *Package) output(given, items []*resourcelist.Item, outcomes []outcome) Output {
	if p.config.Strict {
		for i := range p.findings {
			if p.findings[i].Severity == finding.Warning {
				p.findings[i].Severity = finding.Error
			}
		}
	}
	if finding.Blocking(p.findings) || p.config.Mode != ModeRender {
		items = given
	}
	out := Output{Items: items, Findings: finding.WorstFirst(unique(p.findings)), Summary: p.summary(outcomes)}
	for _, o := range outcomes {
		if p.lean {
			break
		}
		out.Renderings = append(out.Renderings, o.rendering())
	}
	for _, r := range p.runtimes {
		out.Runtimes = append(out.Runtimes, r.entry.Runtime)
	}
	return out
}

// unique drops what was found before: a runtime's fault shows in each of its
// jobs.
func unique(findings []finding.Finding) []finding.Finding {
	seen := map[finding.Finding]bool{}
	var kept []finding.Finding
	for _, f := range findings {
		if !seen[f] {
			seen[f] = true
			kept = append(kept, f)
		}
	}
	return kept
}
