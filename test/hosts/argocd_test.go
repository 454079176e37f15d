// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package hosts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/internal/golden"
	"github.com/trainyard/trainyard/test/hosts/lab"
)

// argocdInstallation is what the components of deploy/argocd patch, as Argo CD's
// own manifests have it.
const argocdInstallation = `apiVersion: v1
kind: ConfigMap
metadata:
  name: argocd-cm
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: argocd-repo-server
spec:
  template:
    spec:
      containers:
      - name: argocd-repo-server
        image: quay.io/argoproj/argocd:v3.1.0
        volumeMounts:
        - name: plugins
          mountPath: /home/argocd/cmp-server/plugins
      initContainers:
      - name: copyutil
        image: quay.io/argoproj/argocd:v3.1.0
        volumeMounts:
        - name: var-files
          mountPath: /var/run/argocd
      volumes:
      - name: var-files
        emptyDir: {}
      - name: plugins
        emptyDir: {}
`

// TestArgoCDComponents adds each component to an installation.
func TestArgoCDComponents(t *testing.T) {
	for _, component := range []string{"plugin", "exec"} {
		t.Run(component, func(t *testing.T) {
			work := t.TempDir()
			for name, text := range read(t, filepath.Join(root, "deploy", "argocd", component)) {
				write(t, filepath.Join(work, component, name), text)
			}
			write(t, filepath.Join(work, "installation.yaml"), []byte(argocdInstallation))
			write(t, filepath.Join(work, "kustomization.yaml"), []byte("namespace: argocd\nresources: [installation.yaml]\ncomponents: ["+component+"]\n"))
			built, err := lab.Run(t.Context(), work, "kustomize", "build")
			if err != nil {
				t.Fatal(err)
			}
			golden.File(t, filepath.Join("wanted", "argocd-"+component+".yaml"), built)
		})
	}
}

// TestArgoCDPlugin runs what the plugin runs, in the folder of an Application:
// stdout is nothing but the objects.
func TestArgoCDPlugin(t *testing.T) {
	example := filepath.Join(root, "examples", "argocd")
	want, err := os.ReadFile(filepath.Join(example, "rendered.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	rendered, err := sidecar(t, filepath.Join(example, "jobs"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(rendered)); diff != "" {
		t.Error(diff)
	}
	nothing, err := sidecar(t, filepath.Join(root, "examples", "reject-in-ci"))
	if err == nil || len(nothing) > 0 {
		t.Fatalf("wrong TrainJobs: error %v, output %q", err, nothing)
	}
	for _, said := range []string{"reserved-env", "spec.trainer.env[0].name", "trainjob.yaml:37"} {
		if !strings.Contains(err.Error(), said) {
			t.Errorf("what Argo CD shows of wrong TrainJobs lacks %q:\n%v", said, err)
		}
	}
}

// sidecar runs the plugin's command as the sidecar does, which is the image
// itself, with an Application's folder.
func sidecar(t *testing.T, folder string) ([]byte, error) {
	t.Helper()
	command := append([]string{"run", "--rm", "--network", "none", "--read-only", "--user", "999", "--workdir", "/app", "--entrypoint", "",
		"--volume", folder + ":/app:ro", lab.Image}, generate(t, "plugin")...)
	return lab.Run(t.Context(), root, "docker", command...)
}

// TestArgoCDKustomizePlugin runs what the plugin for kustomizations runs. What
// fails leaves nothing that Argo CD could prune to.
func TestArgoCDKustomizePlugin(t *testing.T) {
	command := generate(t, "plugin-kustomize")
	overlay := filepath.Join(root, "examples", "kustomize-overlays", "prod")
	built, err := lab.Run(t.Context(), overlay, command[0], command[1:]...)
	if err != nil {
		t.Fatal(err)
	}
	sameObjects(t, filepath.Dir(overlay), built)
	nothing, err := lab.Run(t.Context(), t.TempDir(), command[0], command[1:]...)
	if err == nil || len(nothing) > 0 {
		t.Errorf("no kustomization: error %v, output %q", err, nothing)
	}
}

// generate is the command of a plugin.
func generate(t *testing.T, folder string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "deploy", "argocd", folder, "plugin.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var plugin struct {
		Spec struct {
			Generate struct{ Command, Args []string }
		}
	}
	if err := yaml.Unmarshal(text, &plugin); err != nil || len(plugin.Spec.Generate.Command) == 0 {
		t.Fatal(err)
	}
	return append(plugin.Spec.Generate.Command, plugin.Spec.Generate.Args...)
}
