// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"os/exec"
	"strings"
	"testing"
)

// TestVersions holds the versions of the control plane against those that the
// product is built for. Kueue asks for newer types of Volcano.
func TestVersions(t *testing.T) {
	for _, module := range []string{"sigs.k8s.io/jobset", "github.com/kubeflow/trainer/v2", "sigs.k8s.io/scheduler-plugins"} {
		product, tools := listed(t, "../../..", module), listed(t, "../tools", module)
		if product != tools {
			t.Errorf("the product is built for %s %s, the control plane runs %s", module, product, tools)
		}
	}
}

func listed(t *testing.T, dir, module string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Version}}", module)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("list %s in %s: %v", module, dir, err)
	}
	return strings.TrimSpace(string(out))
}
