// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"github.com/spf13/cobra"

	"github.com/trainyard/trainyard/fn"
	"github.com/trainyard/trainyard/internal/cluster"
	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/internal/report"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render"
)

// marker writes annotations on TrainJobs, by what stands in a cluster.
type marker struct {
	from   string
	dryRun bool
}

func (m *marker) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&m.from, "from", "", "what kubectl prints of the TrainJobs and JobSets: a file, or - for stdin")
	cmd.Flags().BoolVar(&m.dryRun, "dry-run", false, "write nothing")
	_ = cmd.MarkFlagRequired("from") // it is there
}

// judge says what is to be done with a TrainJob.
type judge func(state cluster.State, namespace, name, digest string) cluster.Verdict

// mark judges each TrainJob among the files, prints the verdicts, and writes
// the annotations into the files.
func (m marker) mark(cmd *cobra.Command, paths []string, judge judge) error {
	text, err := readFile(cmd.InOrStdin(), m.from)
	if err != nil {
		return err
	}
	state, err := cluster.Read(text)
	if err != nil {
		return err
	}
	items, findings, err := readPaths(cmd.InOrStdin(), paths)
	if err != nil {
		return err
	}
	if len(findings) > 0 {
		return fmt.Errorf("%s: %s", findings[0].Position.File, findings[0].Message)
	}
	var verdicts []report.Verdict
	for _, item := range slices.Backward(items) { // so that lines above keep their numbers
		verdict, err := m.markOne(item, state, judge)
		if err != nil {
			return err
		}
		if verdict.Decision != "" {
			verdicts = append(verdicts, verdict)
		}
	}
	slices.Reverse(verdicts)
	return report.Verdicts(cmd.OutOrStdout(), verdicts)
}

// markOne returns no decision for what is no TrainJob.
func (m marker) markOne(item *resourcelist.Item, state cluster.State, judge judge) (report.Verdict, error) {
	object, err := fn.Decode(item)
	if err != nil {
		return report.Verdict{}, err
	}
	job, ok := object.(*trainer.TrainJob)
	if !ok {
		return report.Verdict{}, nil
	}
	verdict := report.Verdict{
		Verdict: judge(state, job.Namespace, job.Name, render.Digest(job)),
		Object:  item.Ref, File: item.Position.File, DryRun: m.dryRun,
	}
	switch {
	case job.Annotations[marks.Completed] != "":
		verdict.Verdict = cluster.Verdict{Decision: cluster.Done, Why: "it is marked already"}
	case verdict.Annotation != "" && !m.dryRun:
		verdict.Written, err = annotateFile(item, verdict.Annotation, verdict.Value)
	}
	return verdict, err
}

// annotateFile writes an annotation into the file of an item. It returns false
// if the item stands there in a way that is not for a program to edit.
func annotateFile(item *resourcelist.Item, key, value string) (bool, error) {
	if item.Position.File == "-" {
		return false, nil
	}
	text, err := os.ReadFile(item.Position.File)
	if err != nil {
		return false, fmt.Errorf("annotate %s: %w", item.Ref.Name, err)
	}
	edited, ok := resourcelist.Rewrite(text, item, fn.Annotated(item, map[string]string{key: value}))
	if !ok {
		return false, nil
	}
	if err := replaceFile(item.Position.File, edited); err != nil {
		return false, fmt.Errorf("annotate %s: %w", item.Ref.Name, err)
	}
	return true, nil
}
