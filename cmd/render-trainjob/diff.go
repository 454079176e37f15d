// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trainyard/trainyard/fn"
	"github.com/trainyard/trainyard/internal/report"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

const diffLong = `Says what applying NEW over OLD does to each run: unchanged; changed in place;
stopped and restarted, because of fields that a JobSet can't change; new;
removed. GPUs before and after, and each edit with who makes it, so that one
edit of a runtime reads as one change with the names of the runs it reaches.

OLD and NEW are files or folders, of rendered objects or of sources; sources are
rendered. With --rev the paths are read at a git revision and compared with what
they are now, or at two: --rev main..HEAD.

Exit code 3 if a run would be stopped: by an edit, or because its JobSet goes
without the TrainJob being marked as completed.`

func newDiff() *cobra.Command {
	var flags renderFlags
	var rev string
	cmd := &cobra.Command{
		Use:     "diff OLD NEW | diff --rev REVISION PATH...",
		Short:   "Say what a change does to each run",
		Long:    diffLong,
		Example: "  render-trainjob diff rendered/ new/\n  render-trainjob diff --rev main..HEAD jobs/ runtimes/ -o markdown",
		Args: func(_ *cobra.Command, args []string) error {
			if rev == "" && len(args) != 2 {
				return errors.New("give OLD and NEW, or --rev and the paths of the sources")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			was, is, err := readSides(cmd, rev, args)
			if err != nil {
				return err
			}
			return diff(cmd, flags, was, is)
		},
	}
	flags.add(cmd.Flags(), "text", "json", "markdown")
	cmd.Flags().StringVar(&rev, "rev", "", "a git revision of the paths to compare with, or two: OLD..NEW")
	return cmd
}

// side is what was read of one side.
type side struct {
	items    []*resourcelist.Item
	findings []finding.Finding
}

func readSides(cmd *cobra.Command, rev string, args []string) (was, is side, err error) {
	if rev == "" {
		if was.items, was.findings, err = readPaths(cmd.InOrStdin(), args[:1]); err != nil {
			return was, is, err
		}
		is.items, is.findings, err = readPaths(cmd.InOrStdin(), args[1:])
		return was, is, err
	}
	from, to, two := strings.Cut(rev, "..")
	if was.items, was.findings, err = readRevision(cmd.Context(), from, args); err != nil {
		return was, is, err
	}
	if two {
		is.items, is.findings, err = readRevision(cmd.Context(), to, args)
	} else {
		is.items, is.findings, err = readPaths(cmd.InOrStdin(), args)
	}
	return was, is, err
}

func diff(cmd *cobra.Command, flags renderFlags, old, now side) error {
	was := renderSide(flags.config, old)
	before, err := runsOf(was)
	if err != nil {
		return fmt.Errorf("the old side: %w", err)
	}
	out := renderSide(flags.config, now)
	if err := flags.printFindings(cmd, slices.Concat(errorsOf(out), warnings(errorsOf(was)))); err != nil {
		return err
	}
	after, err := runsOf(out)
	if err != nil {
		return fmt.Errorf("the new side: %w", err)
	}
	d := report.Compare(before, after)
	if err := printReport(cmd, d, flags.output.text); err != nil {
		return err
	}
	switch {
	case finding.Blocking(out.Findings):
		return errFindings
	case d.Stops():
		return errStops
	default:
		return nil
	}
}

func errorsOf(out fn.Output) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(out.Findings), func(f finding.Finding) bool { return f.Severity != finding.Error })
}

// warnings are the errors of the old side, of which the new one may be the
// correction: they hide runs, which then look new.
func warnings(found []finding.Finding) []finding.Finding {
	for i := range found {
		found[i].Severity = finding.Warning
		found[i].Message += " (on the old side, where no run comes of it)"
	}
	return found
}

// renderSide renders what is to be rendered of a side. A run that stands beside
// its source as it was rendered before stays so, as it would when it is applied.
func renderSide(config fn.Config, s side) fn.Output {
	config.Render.Explain = true
	config.Sources = fn.SourcesDrop
	return fn.Transform(fn.Input{Items: s.items, Config: config, Findings: s.findings})
}
