// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

const (
	starting = time.Minute      // how long the engine may take to answer
	stopping = 20 * time.Second // how long it has to end before it is killed
)

// engine is a dockerd of our own: nothing of the machine's is touched, and it
// has no network but the loopback of each container.
type engine struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

// startEngine starts dockerd in a folder and points DOCKER_HOST to it.
func startEngine(ctx context.Context, dir string) (*engine, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	log, err := os.Create(filepath.Join(dir, "dockerd.log"))
	if err != nil {
		return nil, fmt.Errorf("make a log: %w", err)
	}
	defer func() { _ = log.Close() }() // dockerd has its own
	socket := "unix://" + filepath.Join(dir, "docker.sock")
	cmd := exec.Command("dockerd", "--host", socket, "--pidfile", filepath.Join(dir, "pid"),
		"--data-root", filepath.Join(dir, "data"), "--exec-root", filepath.Join(dir, "exec"),
		"--bridge", "none", "--iptables=false", "--ip6tables=false")
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	e := &engine{cmd: cmd, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended stands in its log
		close(e.done)
	}()
	if err := os.Setenv("DOCKER_HOST", socket); err != nil {
		return nil, fmt.Errorf("set DOCKER_HOST: %w", err)
	}
	if err := e.wait(ctx); err != nil {
		said, _ := os.ReadFile(log.Name())
		e.stop()
		return nil, fmt.Errorf("%w; it said:\n%s", err, said)
	}
	return e, nil
}

// wait returns when the engine answers.
func (e *engine) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, starting)
	defer cancel()
	for {
		if exec.CommandContext(ctx, "docker", "info").Run() == nil {
			return nil
		}
		select {
		case <-e.done:
			return errors.New("dockerd ended at once")
		case <-ctx.Done():
			return fmt.Errorf("dockerd does not answer: %w", ctx.Err())
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// stop ends the engine and its containerd, kindly first.
func (e *engine) stop() {
	group := -e.cmd.Process.Pid
	_ = syscall.Kill(group, syscall.SIGTERM)
	select {
	case <-e.done:
	case <-time.After(stopping):
		_ = syscall.Kill(group, syscall.SIGKILL)
		<-e.done
	}
}
