// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/spf13/cobra"

const long = `Renders TrainJobs with their runtimes as JobSets.

With paths it reads files, folders, or - for stdin, and prints YAML: everything
but TrainJobs and runtimes, with the JobSets and their companions. Runtimes that
the files lack may be the Trainer's own (--builtin-runtimes).

Without arguments it is a KRM function: a ResourceList on stdin, the same with
the rendered objects on stdout. Its functionConfig holds the keys of the flags.

Exit code: 0 rendered; 1 an error among the findings, nothing was rendered;
2 the call was wrong or a file could not be read.`

// newRoot returns the command with all that belongs to it.
func newRoot() *cobra.Command {
	var flags renderFlags
	root := &cobra.Command{
		Use:           "render-trainjob [PATH...]",
		Short:         "Render TrainJobs as JobSets",
		Long:          long,
		Example:       "  render-trainjob jobs/\n  kustomize build . | render-trainjob -",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				return renderPaths(cmd, flags, args)
			case isTerminal(cmd.InOrStdin()):
				return helpAsError(cmd)
			default:
				return runFunction(cmd)
			}
		},
	}
	flags.add(root.Flags(), "yaml", "json")
	root.AddCommand(newExplain(), newSummary(), newDiff(), newPods(), newDone(), newMigrate(), newVendor(), newVersion())
	root.CompletionOptions.HiddenDefaultCmd = false
	return root
}
