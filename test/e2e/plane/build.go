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
	bin, err := t.cache()
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(bin); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return bin, err
	}
	kubernetes, err := t.module(ctx, "k8s.io/kubernetes")
	if err != nil {
		return "", err
	}
	// A build that breaks off must not look like a whole one.
	partial := bin + ".partial"
	if err := os.MkdirAll(partial, 0o755); err != nil {
		return "", err
	}
	if err := t.compile(ctx, partial, kubernetes.Version); err != nil {
		return "", fmt.Errorf("build the control plane: %w", err)
	}
	if err := t.generate(ctx, partial); err != nil {
		return "", fmt.Errorf("generate Volcano's resource definitions: %w", err)
	}
	return bin, os.Rename(partial, bin)
}

func (t tools) compile(ctx context.Context, dir, kubernetes string) error {
	// Without a version kubectl and Kueue cannot parse what the API server says.
	flags := "-s -w -X k8s.io/component-base/version.gitVersion=" + kubernetes
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags", flags, "-o", dir, "tool")
	cmd.Dir = string(t)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// generate makes resource definitions from Volcano's Go types: its module of
// types has none.
func (t tools) generate(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "controller-gen"), "crd",
		"paths=volcano.sh/apis/pkg/apis/scheduling/v1beta1", "output:dir="+filepath.Join(dir, "volcano"))
	cmd.Dir = string(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
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
