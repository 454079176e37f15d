// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/trainyard/trainyard/fn"
	"github.com/trainyard/trainyard/internal/report"
)

const summaryLong = `Prints what the trainings ask for: nodes and processes, GPUs, CPU and memory,
queue and image; what Kueue would ask for, pod set by pod set; and totals by
namespace and queue. JobSets among the files are counted as they are. A TrainJob
with an error is shown with its errors.

--by runtime prints who uses which runtime and what they override, runtimes that
differ in one field, and runtimes that nobody uses.`

func newSummary() *cobra.Command {
	flags := renderFlags{reads: true}
	by := choice{"job", []string{"job", "runtime"}}
	cmd := &cobra.Command{
		Use:     "summary PATH...",
		Short:   "Print what the trainings ask for",
		Long:    summaryLong,
		Example: "  render-trainjob summary jobs/\n  render-trainjob summary jobs/ --by runtime -o markdown",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return summarize(cmd, flags, by.text, args)
		},
	}
	flags.add(cmd.Flags(), "table", "json", "markdown")
	cmd.Flags().Var(&by, "by", "what to sum up: job or runtime")
	return cmd
}

// summarize prints the summary even where there are errors: it counts them.
func summarize(cmd *cobra.Command, flags renderFlags, by string, paths []string) error {
	out, err := transform(cmd, flags, paths)
	if err != nil && !errors.Is(err, errFindings) {
		return err
	}
	sum, fault := summaryOf(out, by)
	if fault != nil {
		return fault
	}
	if fault := printReport(cmd, sum, flags.output.text); fault != nil {
		return fault
	}
	return err
}

// printed is a report that can be printed in several forms.
type printed interface {
	JSON(w io.Writer) error
	Tables(w io.Writer, markdown bool) error
}

// summaryOf sums an output up.
func summaryOf(out fn.Output, by string) (printed, error) {
	if by == "runtime" {
		return report.ByRuntime(usesOf(out), out.Runtimes), nil
	}
	runs, err := runsOf(out)
	return report.Summarize(runs), err
}

// usesOf are the TrainJobs whose runtime was found.
func usesOf(out fn.Output) []report.Use {
	var uses []report.Use
	for _, r := range out.Renderings {
		if r.Job != nil && r.Runtime.Name != "" {
			uses = append(uses, report.Use{Job: r.Job, Runtime: r.Runtime})
		}
	}
	return uses
}

// printReport prints a report as a table, as markdown or as JSON.
func printReport(cmd *cobra.Command, r printed, format string) error {
	if format == "json" {
		return r.JSON(cmd.OutOrStdout())
	}
	return r.Tables(cmd.OutOrStdout(), format == "markdown")
}
