// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"context"
	"path/filepath"
)

// defineGangs defines the PodGroups of the gang schedulers. No controller
// stands behind them here: the API server judges, nothing acts.
func (p *Plane) defineGangs(ctx context.Context) error {
	definitions, err := p.tools.file(ctx, "sigs.k8s.io/scheduler-plugins", "config/crd/bases/scheduling.x-k8s.io_podgroups.yaml")
	if err != nil {
		return err
	}
	more, err := DecodeFile(filepath.Join(p.bin, "volcano", "scheduling.volcano.sh_podgroups.yaml"))
	if err != nil {
		return err
	}
	for _, definition := range append(definitions, more...) {
		if err := p.define(ctx, definition); err != nil {
			return err
		}
	}
	return nil
}
