// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/trainyard/trainyard/fn"
	"github.com/trainyard/trainyard/internal/report"
	"github.com/trainyard/trainyard/render/finding"
)

// runFunction is the KRM function. Nothing is written to stdout before all of
// it is there, and it never succeeds without output: a host that writes files
// in place would take that for an empty package.
func runFunction(cmd *cobra.Command) error {
	in, err := io.ReadAll(cmd.InOrStdin())
	if err != nil {
		return fmt.Errorf("read stdin: %w", err)
	}
	paceCollector(len(in))
	out, err := fn.Stream(in, cmd.OutOrStdout())
	if err != nil {
		return fmt.Errorf("write stdout: %w", err)
	}
	cmd.PrintErrln(out.Summary)
	if err := report.Text(cmd.ErrOrStderr(), out.Findings, false); err != nil {
		return err
	}
	if finding.Blocking(out.Findings) {
		return errFindings
	}
	return nil
}

// helpAsError shows the help to someone who called without arguments at a
// terminal.
func helpAsError(cmd *cobra.Command) error {
	if err := cmd.Help(); err != nil {
		return fmt.Errorf("write help: %w", err)
	}
	return errors.New("name a file, a folder, or - for stdin")
}
