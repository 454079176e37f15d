// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// build returns the folder of the control plane's programs, the tools of the
// tools module, and makes it first if the cache has none for these versions.
func (t tools) build(ctx context.Context) (string, error) {
	return t.cached(func(dir string) error {
		kubernetes, err := t.module(ctx, "k8s.io/kubernetes")
		if err != nil {
			return err
		}
		// Without a version kubectl and Kueue cannot parse what the API server says.
		if err := t.compile(ctx, dir, "-X k8s.io/component-base/version.gitVersion="+kubernetes.Version); err != nil {
			return fmt.Errorf("build the control plane: %w", err)
		}
		// Volcano's module of types has no resource definitions.
		return t.define(ctx, dir, "volcano.sh/apis/pkg/apis/scheduling/v1beta1", filepath.Join(dir, "volcano"))
	})
}

// cached returns the cache's folder for these versions and lets fill it first
// if there is none.
func (t tools) cached(fill func(dir string) error) (string, error) {
	bin, err := t.cache()
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(bin); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return bin, err
	}
	// A build that breaks off must not look like a whole one.
	partial := bin + ".partial"
	if err := os.MkdirAll(partial, 0o755); err != nil {
		return "", err
	}
	if err := fill(partial); err != nil {
		return "", err
	}
	return bin, os.Rename(partial, bin)
}

// compile builds the module's tools.
func (t tools) compile(ctx context.Context, dir, flags string) error {
	return t.call(ctx, "go", "build", "-ldflags", "-s -w "+flags, "-o", dir+"/", "tool")
}

// define makes resource definitions from Go types, with the controller-gen in
// the folder bin.
func (t tools) define(ctx context.Context, bin, types, dir string) error {
	return t.call(ctx, filepath.Join(bin, "controller-gen"), "crd", "paths="+types, "output:dir="+dir)
}

// call runs a program in the module.
func (t tools) call(ctx context.Context, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = string(t)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(program), args[0], err, out)
	}
	return nil
}

// cache is the folder for the programs of these versions.
func (t tools) cache() (string, error) {
	key := sha256.New()
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(string(t), name))
		if err != nil {
			return "", fmt.Errorf("read the tools module: %w", err)
		}
		key.Write(text)
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(user, "trainyard", "bin", hex.EncodeToString(key.Sum(nil))[:16]), nil
}
