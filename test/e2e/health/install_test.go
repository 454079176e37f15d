// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package health

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// TestInstall adds each component to what it is for.
func TestInstall(t *testing.T) {
	const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm}\ndata: {url: https://argocd.example.com}\n"
	const kustomization = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n" +
		"metadata: {name: trainings, namespace: flux-system}\nspec: {interval: 1m, prune: true}\n"
	for component, c := range map[string]struct{ to, adds, keeps string }{
		"argocd":       {configMap, "resource.customizations.health.jobset.x-k8s.io_JobSet: |", "url: https://argocd.example.com"},
		"argocd-waves": {configMap, "resource.customizations.health.trainer.kubeflow.org_TrainJob: |", "url: https://argocd.example.com"},
		"flux":         {kustomization, "healthCheckExprs:", "name: trainings"},
		"flux-waves":   {kustomization, "healthCheckExprs:", "interval: 1m"},
	} {
		built := build(t, component, c.to)
		for _, want := range []string{c.adds, c.keeps} {
			if !strings.Contains(built, want) {
				t.Errorf("%s: want %q in\n%s", component, want, built)
			}
		}
	}
}

// build builds a kustomization of one resource with the component.
func build(t *testing.T, component, resource string) string {
	t.Helper()
	files := filesys.MakeFsInMemory()
	disk := filesys.MakeFsOnDisk()
	names, err := disk.ReadDir(deploy + component)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := disk.ReadFile(deploy + component + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		write(t, files, "/component/"+name, text)
	}
	write(t, files, "/app/resource.yaml", []byte(resource))
	write(t, files, "/app/kustomization.yaml", []byte("namespace: argocd\nresources: [resource.yaml]\ncomponents: [../component]\n"))
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, "/app")
	if err != nil {
		t.Fatalf("%s: %v", component, err)
	}
	text, err := built.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, files filesys.FileSystem, name string, text []byte) {
	t.Helper()
	if err := files.WriteFile(name, text); err != nil {
		t.Fatal(err)
	}
}
