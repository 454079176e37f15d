// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"context"
	"fmt"
	"syscall"
)

// RestartAPIServer kills the API server without warning, calls meanwhile while
// it is down, starts it again and returns when it is ready.
func (p *Plane) RestartAPIServer(ctx context.Context, meanwhile func()) error {
	const name = "kube-apiserver"
	old := p.processes[name]
	if err := old.signal(syscall.SIGKILL); err != nil {
		return err
	}
	<-old.done
	meanwhile()
	started, err := start(p.Dir, name, old.cmd.Path, old.cmd.Args[1:]...)
	if err != nil {
		return fmt.Errorf("start %s again: %w", name, err)
	}
	p.processes[name] = started
	return p.answers(ctx, name, p.url(name)+"/readyz")
}
