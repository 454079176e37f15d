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
)

// Version is that of the release which examples and layouts use, and Image the
// name by which they call the function's image.
const (
	Version = "v0.1.0"
	Image   = "ghcr.io/trainyard/render-trainjob:" + Version
)

// Lab is open as long as the PATH leads to its programs and DOCKER_HOST to its
// engine.
type Lab struct {
	Root   string // of the repository
	engine *engine
	temp   string
}

// Open builds the programs and the images, and starts the engine.
func Open(ctx context.Context, root string) (*Lab, error) {
	temp, err := os.MkdirTemp("", "hosts-")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	l := &Lab{Root: root, temp: temp}
	if err := l.open(ctx); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

func (l *Lab) open(ctx context.Context) error {
	tools, err := buildTools(ctx, filepath.Join(l.Root, "test", "hosts", "tools"))
	if err != nil {
		return fmt.Errorf("build the tools: %w", err)
	}
	path := filepath.Join(l.Root, "bin") + string(os.PathListSeparator) + tools + string(os.PathListSeparator) + os.Getenv("PATH")
	if err := os.Setenv("PATH", path); err != nil {
		return fmt.Errorf("set PATH: %w", err)
	}
	for _, program := range []string{"kustomize", "kpt", "docker", "dockerd", "git", "make"} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("the hosts' tests need %s: %w", program, err)
		}
	}
	if l.engine, err = startEngine(ctx, filepath.Join(l.temp, "engine")); err != nil {
		return fmt.Errorf("start dockerd: %w", err)
	}
	_, err = Run(ctx, l.Root, "make", "images", "VERSION="+Version)
	return err
}

// Close stops the engine and removes all that was made, but for the tools.
func (l *Lab) Close() {
	if l.engine != nil {
		l.engine.stop()
	}
	_ = os.RemoveAll(l.temp) // what is left is in a folder for that
}

// Run runs a program in a folder and returns what it printed. What it said is
// in the error.
func Run(ctx context.Context, dir, program string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return out, fmt.Errorf("%s: %w\n%s%s", program, err, out, exit.Stderr)
	}
	return out, err
}
