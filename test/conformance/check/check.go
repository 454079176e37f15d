// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package check holds the renderer's answer to a case against the Trainer's.
package check

import (
	"context"
	"fmt"
	"slices"

	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/test/conformance/cases"
	"github.com/trainyard/trainyard/test/conformance/difference"
	"github.com/trainyard/trainyard/test/conformance/ours"
	"github.com/trainyard/trainyard/test/conformance/upstream"
)

// Report is what one comparison found.
type Report struct {
	Trainer     upstream.Verdict
	Rendered    bool     // objects were compared, not only verdicts
	Unexplained []string // differences that no rule explains; none: conformance
	Fired       difference.Fired
}

// Renderer is a way to the renderer: ours.Render or ours.Function.
type Renderer func(cases.Case) (ours.Outcome, error)

// Check compares the two answers to a case.
func Check(ctx context.Context, trainer *upstream.Trainer, renderer Renderer, c cases.Case) (report Report, err error) {
	report.Fired = difference.Fired{}
	given := c.Clone()
	if difference.DropNullLabels(given.TrainJob) {
		report.Fired["null-fields"]++
	}
	verdict, admitted, err := trainer.Judge(ctx, given.TrainJob, given.Others)
	if err != nil {
		return report, fmt.Errorf("ask the Trainer: %w", err)
	}
	outcome, err := rendered(renderer, c.Clone())
	if err != nil {
		return report, err
	}
	var settled *difference.Given
	problems := report.unforgiven(c, ofOthers(c, problemsOf(verdict)))
	if admitted != nil {
		now, err := difference.NewGiven(trainer, *admitted)
		if err != nil && !verdict.Refused() {
			return report, err
		}
		settled = &now
		written, others := ofStage(problems, true), ofStage(problems, false)
		problems = slices.Concat(others, difference.Problems(ctx, trainer, now, written, report.Fired))
	}
	report.Trainer = verdict
	report.compareWarnings(verdict, outcome)
	report.compareVerdicts(problems, settled, outcome)
	if settled == nil || len(problems) > 0 || finding.Blocking(outcome.Findings) || len(report.Unexplained) > 0 {
		return report, nil
	}
	report.Rendered = true
	return report, report.compareObjects(ctx, trainer, *settled, verdict.Objects, outcome)
}

// rendered turns a panic of the renderer into an error: it must not panic.
func rendered(renderer Renderer, c cases.Case) (outcome ours.Outcome, err error) {
	defer func() {
		if trouble := recover(); trouble != nil {
			err = fmt.Errorf("the renderer panics: %v", trouble)
		}
	}()
	return renderer(c)
}

func (r *Report) unexplained(format string, args ...any) {
	r.Unexplained = append(r.Unexplained, fmt.Sprintf(format, args...))
}
