// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
)

// tools is the folder of the Go module that pins the control plane's versions.
type tools string

// module is one of its dependencies, unpacked.
type module struct {
	Version string `json:"Version"`
	Dir     string `json:"Dir"`
}

// module fetches a dependency, for its manifests.
func (t tools) module(ctx context.Context, path string) (module, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", path)
	cmd.Dir = string(t)
	out, err := cmd.Output()
	if err != nil {
		return module{}, fmt.Errorf("fetch module %s: %w\n%s", path, err, out)
	}
	var found module
	if err := json.Unmarshal(out, &found); err != nil {
		return module{}, fmt.Errorf("read module %s: %w", path, err)
	}
	return found, nil
}
