// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"

	"github.com/trainyard/trainyard/internal/cluster"
)

const migrateLong = `Says of each TrainJob among the files what is to be done with it where a Trainer
runs in the cluster, and writes it down:

  leave   the Trainer runs it, or will: it gets trainyard.dev/render: disabled
  done    its run has ended: it gets trainyard.dev/completed
  switch  it is not in the cluster, or not the Trainer's: it can be rendered
  wait    it was rendered before and runs

--from is what "kubectl get trainjobs,jobsets -o json" prints: a file, or - for
stdin.`

func newMigrate() *cobra.Command {
	var m marker
	cmd := &cobra.Command{
		Use:     "migrate --from FILE PATH...",
		Short:   "Mark what the Trainer in the cluster keeps, and what has ended",
		Long:    migrateLong,
		Example: "  kubectl get trainjobs,jobsets -A -o json | render-trainjob migrate --from - jobs/ --dry-run",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return m.mark(cmd, args, cluster.State.Migrate)
		},
	}
	m.add(cmd)
	return cmd
}
