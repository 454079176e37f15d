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
	return p.restart(ctx, "kube-apiserver", p.url("kube-apiserver")+"/readyz", meanwhile)
}

// RestartController does the same with the controller of jobset, kueue or
// trainer, and waits until its webhooks answer too.
func (p *Plane) RestartController(ctx context.Context, name string, meanwhile func()) error {
	for _, c := range controllers {
		if c.name != name {
			continue
		}
		if err := p.restart(ctx, c.program, "http://"+p.address(c.name+"-health")+"/readyz", meanwhile); err != nil {
			return err
		}
		return p.webhooksServe(ctx)
	}
	return fmt.Errorf("there is no controller %s", name)
}

// restart starts the program again also where meanwhile ends the test.
func (p *Plane) restart(ctx context.Context, program, ready string, meanwhile func()) (err error) {
	old := p.processes[program]
	if err := old.signal(syscall.SIGKILL); err != nil {
		return err
	}
	<-old.done
	defer func() { err = p.again(ctx, old, ready) }()
	meanwhile()
	return nil
}

func (p *Plane) again(ctx context.Context, old *process, ready string) error {
	started, err := start(p.Dir, old.name, old.cmd.Path, old.cmd.Args[1:]...)
	if err != nil {
		return fmt.Errorf("start %s again: %w", old.name, err)
	}
	p.processes[old.name] = started
	return p.answers(ctx, old.name, ready)
}
