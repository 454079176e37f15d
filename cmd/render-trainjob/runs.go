// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"

	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/fn"
	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/internal/report"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

// runsOf are the trainings of an output: those that were rendered, also those
// that an error hinders, and JobSets that stand among the files.
func runsOf(out fn.Output) ([]report.Run, error) {
	var runs []report.Run
	rendered := map[finding.Ref]bool{}
	for _, r := range out.Renderings {
		ended := r.Source.Annotation(marks.Completed) != ""
		if r.Source.Annotation(marks.Render) == marks.RenderDisabled {
			continue
		}
		run, err := runOf(r.Items)
		if err != nil {
			return nil, err
		}
		run.Namespace, run.Name = r.Source.Ref.Namespace, r.Source.Ref.Name
		run.Findings, run.Ended = r.Findings, ended
		if !r.Differs {
			run.Sources, run.Place = r.Sources, r.Position
		}
		for _, item := range r.Items {
			rendered[item.Ref] = true
		}
		runs = append(runs, run)
	}
	others, err := appliedRuns(fn.ToApply(out.Items), rendered)
	return append(runs, others...), err
}

// appliedRuns are the JobSets that stand among items, each with the companions
// that carry its TrainJob's name.
func appliedRuns(items []*resourcelist.Item, but map[finding.Ref]bool) ([]report.Run, error) {
	var runs []report.Run
	for _, item := range items {
		if item.Ref.Kind != "JobSet" || but[item.Ref] {
			continue
		}
		own := []*resourcelist.Item{item}
		owner := item.Label(marks.TrainJob)
		for _, other := range items {
			if owner != "" && other.Ref.Kind != "JobSet" && other.Ref.Namespace == item.Ref.Namespace && other.Label(marks.TrainJob) == owner {
				own = append(own, other)
			}
		}
		run, err := runOf(own)
		if err != nil {
			return nil, err
		}
		run.Namespace, run.Name = item.Ref.Namespace, cmp.Or(owner, item.Ref.Name)
		runs = append(runs, run)
	}
	return runs, nil
}

// runOf decodes a JobSet and what stands beside it.
func runOf(items []*resourcelist.Item) (report.Run, error) {
	var run report.Run
	for _, item := range items {
		object, err := fn.Decode(item)
		if err != nil {
			return run, err
		}
		if js, ok := object.(*jobset.JobSet); ok {
			run.JobSet = js
		} else {
			run.Companions = append(run.Companions, object)
		}
	}
	return run, nil
}
