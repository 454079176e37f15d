// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// grace is how long a process has to end before it is killed.
const grace = 10 * time.Second

// process is a program that runs until it is stopped, in a process group of
// its own, with its output in a file.
type process struct {
	name string
	log  string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

// start runs a program. If this test dies, the kernel ends the program too.
func start(dir, name, program string, args ...string) (*process, error) {
	log := filepath.Join(dir, "logs", name+".log")
	out, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }() // the program has its own
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = out, out
	// Flux's controller has no flag for the credentials.
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "KUBECONFIG="+filepath.Join(dir, "admin.kubeconfig"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p := &process{name: name, log: log, cmd: cmd, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended stands in its log
		close(p.done)
	}()
	return p, nil
}

// stop ends the process group, kindly first.
func (p *process) stop() error {
	if err := p.signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-p.done:
		return nil
	case <-time.After(grace):
		return p.signal(syscall.SIGKILL)
	}
}

func (p *process) signal(s syscall.Signal) error {
	if err := syscall.Kill(-p.cmd.Process.Pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("end %s: %w", p.name, err)
	}
	return nil
}

// ended says so if the process is no longer there.
func (p *process) ended() error {
	select {
	case <-p.done:
		return fmt.Errorf("%s ended too early; its log is %s", p.name, p.log)
	default:
		return nil
	}
}
