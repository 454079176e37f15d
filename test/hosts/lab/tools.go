// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package lab

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

// buildTools builds the tools of a module into the user's cache, if they are
// not there in these versions, and returns their folder.
func buildTools(ctx context.Context, module string) (string, error) {
	sum, err := os.ReadFile(filepath.Join(module, "go.sum"))
	if err != nil {
		return "", fmt.Errorf("read versions: %w", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache: %w", err)
	}
	key := sha256.Sum256(sum)
	dir := filepath.Join(cache, "trainyard", "bin", "hosts-"+hex.EncodeToString(key[:8]))
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return dir, err
	}
	// A build that breaks off must not look like a whole one.
	partial := dir + ".partial"
	if err := os.MkdirAll(partial, 0o755); err != nil {
		return "", fmt.Errorf("make a folder: %w", err)
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", partial+"/", "tool")
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return dir, os.Rename(partial, dir)
}
