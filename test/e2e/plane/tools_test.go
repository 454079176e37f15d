// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"os"
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

// TestMeasured holds the versions that docs/gitops.md says were measured
// against those that run.
func TestMeasured(t *testing.T) {
	page, err := os.ReadFile("../../../docs/gitops.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ dir, module, name string }{
		{"../tools", "k8s.io/kubernetes", "Kubernetes"},
		{"../tools", "sigs.k8s.io/jobset", "JobSet"},
		{"../tools", "sigs.k8s.io/kueue", "Kueue"},
		{"../tools", "github.com/kubeflow/trainer/v2", "Trainer"},
		{"../tools", "sigs.k8s.io/kwok", "KWOK"},
		{"../tools/flux", "github.com/fluxcd/kustomize-controller", "kustomize-controller"},
		{"..", "github.com/fluxcd/pkg/ssa", "`fluxcd/pkg/ssa`"},
		{"..", "github.com/fluxcd/pkg/kustomize", "`fluxcd/pkg/kustomize`"},
	} {
		says := c.name + " " + strings.TrimPrefix(listed(t, c.dir, c.module), "v")
		if !strings.Contains(string(page), says) {
			t.Errorf("docs/gitops.md does not say %s", says)
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
