// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"

	"github.com/trainyard/trainyard/internal/cluster"
)

const doneLong = `Writes trainyard.dev/completed on each TrainJob among the files whose run has
ended in the cluster, so that nothing is rendered for it any more: a restored or
new cluster would run it again. A TrainJob that was edited since stays as it is:
its next run is still to come.

--from is what "kubectl get trainjobs,jobsets -o json" prints: a file, or - for
stdin.`

func newDone() *cobra.Command {
	var m marker
	cmd := &cobra.Command{
		Use:     "done --from FILE PATH...",
		Short:   "Mark TrainJobs whose run has ended",
		Long:    doneLong,
		Example: "  kubectl get trainjobs,jobsets -A -o json | render-trainjob done --from - jobs/",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return m.mark(cmd, args, cluster.State.Finished)
		},
	}
	m.add(cmd)
	return cmd
}
