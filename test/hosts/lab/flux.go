// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// fluxModule is the flux command line.
const fluxModule = "github.com/fluxcd/flux2/v2@v2.9.5"

// Flux builds flux into the user's cache, if it is not there, and returns its
// folder. Its module can't be installed as it is: it embeds the manifests of
// Flux's controllers, which a release generates. An empty one takes their place,
// since nothing is installed here.
func Flux(ctx context.Context) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache: %w", err)
	}
	dir := filepath.Join(cache, "trainyard", "bin", "flux-"+filepath.Base(fluxModule))
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return dir, err
	}
	source, err := os.MkdirTemp("", "flux-")
	if err != nil {
		return "", fmt.Errorf("make a folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(source) }() // what is left is in a folder for that
	if err := unpackFlux(ctx, source); err != nil {
		return "", fmt.Errorf("unpack flux: %w", err)
	}
	// A build that breaks off must not look like a whole one.
	partial := dir + ".partial"
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", filepath.Join(partial, "flux"), "./cmd/flux")
	cmd.Dir = source
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build flux: %w\n%s", err, out)
	}
	return dir, os.Rename(partial, dir)
}

// unpackFlux copies the module's sources and adds what they lack.
func unpackFlux(ctx context.Context, into string) error {
	out, err := Run(ctx, into, "go", "mod", "download", "-json", fluxModule)
	if err != nil {
		return err
	}
	var module struct {
		Dir string `json:"Dir"`
	}
	if err := json.Unmarshal(out, &module); err != nil {
		return fmt.Errorf("read the module: %w", err)
	}
	if err := os.CopyFS(into, os.DirFS(module.Dir)); err != nil {
		return fmt.Errorf("copy the module: %w", err)
	}
	manifests := filepath.Join(into, "cmd", "flux", "manifests")
	if err := os.MkdirAll(manifests, 0o755); err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	return os.WriteFile(filepath.Join(manifests, "none.yaml"), nil, 0o600)
}
