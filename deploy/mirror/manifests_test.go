// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package manifests_test builds the manifests as kustomize does, and holds the
// mirror's rights against the list in docs/mirror.md.
package manifests_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	appsv1 "k8s.io/api/apps/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/mirror"
)

func build(t *testing.T, folder string) resmap.ResMap {
	t.Helper()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// withComponents builds the base with some components on top.
func withComponents(t *testing.T, components ...string) resmap.ResMap {
	t.Helper()
	fs := filesys.MakeFsInMemory()
	err := filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return fs.WriteFile("/mirror/"+path, text)
	})
	if err != nil {
		t.Fatal(err)
	}
	text := "resources: [../mirror]\ncomponents:\n"
	for _, component := range components {
		text += "  - ../mirror/components/" + component + "\n"
	}
	if err := fs.WriteFile("/own/kustomization.yaml", []byte(text)); err != nil {
		t.Fatal(err)
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(fs, "/own")
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// find decodes the one object of a kind and name, strictly.
func find(t *testing.T, built resmap.ResMap, kind, name string, into any) {
	t.Helper()
	found := 0
	for _, r := range built.Resources() {
		if r.GetKind() != kind || r.GetName() != name {
			continue
		}
		found++
		text, err := r.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.UnmarshalStrict(text, into); err != nil {
			t.Fatal(err)
		}
	}
	if found != 1 {
		t.Fatalf("%d objects %s %s, want 1", found, kind, name)
	}
}

// rights lists rules as "verb group/resource", sorted as they are written.
func rights(rules []rbacv1.PolicyRule) []string {
	list := []string{}
	for _, rule := range rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					text := strings.TrimPrefix(group+"/"+resource, "/") + " " + verb
					if len(rule.ResourceNames) > 0 {
						text += " " + strings.Join(rule.ResourceNames, ",")
					}
					list = append(list, text)
				}
			}
		}
	}
	return list
}

func clusterRights(t *testing.T, built resmap.ResMap, name string) []string {
	t.Helper()
	var role rbacv1.ClusterRole
	find(t, built, "ClusterRole", name, &role)
	return rights(role.Rules)
}

const program = "mirror-trainjob-status"

var smallest = []string{
	"jobset.x-k8s.io/jobsets get", "jobset.x-k8s.io/jobsets list", "jobset.x-k8s.io/jobsets watch",
	"trainer.kubeflow.org/trainjobs get", "trainer.kubeflow.org/trainjobs list", "trainer.kubeflow.org/trainjobs watch",
	"trainer.kubeflow.org/trainjobs create", "trainer.kubeflow.org/trainjobs delete",
	"trainer.kubeflow.org/trainjobs/status patch",
	"events.k8s.io/events create", "events.k8s.io/events patch",
}

func TestRights(t *testing.T) {
	withSecrets := append(slices.Clone(smallest), "secrets create")
	for name, c := range map[string]struct {
		built resmap.ResMap
		want  []string
	}{
		"base":            {build(t, "."), withSecrets},
		"without-secrets": {build(t, "without-secrets"), smallest},
		"soft-ttl":        {withComponents(t, "soft-ttl"), append(slices.Clone(withSecrets), "batch/jobs delete")},
		"all components":  {withComponents(t, "soft-ttl", "preflight", "monitoring"), append(slices.Clone(withSecrets), "batch/jobs delete")},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, clusterRights(t, c.built, program)); diff != "" {
				t.Error(diff)
			}
			var role rbacv1.Role
			find(t, c.built, "Role", program, &role)
			want := []string{
				"coordination.k8s.io/leases create",
				"coordination.k8s.io/leases get mirror-trainjob-status.trainyard.dev",
				"coordination.k8s.io/leases update mirror-trainjob-status.trainyard.dev",
				"events create", "events patch",
			}
			if diff := cmp.Diff(want, rights(role.Rules)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPreflightRights(t *testing.T) {
	want := []string{
		"trainer.kubeflow.org/trainingruntimes list", "trainer.kubeflow.org/clustertrainingruntimes list",
		"apps/deployments get kubeflow-trainer-controller-manager", "configmaps get kueue-manager-config",
	}
	if diff := cmp.Diff(want, clusterRights(t, withComponents(t, "preflight"), program+"-preflight")); diff != "" {
		t.Error(diff)
	}
}

// Only roles that a test above looks at may be bound, to the mirror's account.
func TestBindings(t *testing.T) {
	built := withComponents(t, "soft-ttl", "preflight", "monitoring")
	for _, r := range built.Resources() {
		if r.GetKind() != "ClusterRoleBinding" && r.GetKind() != "RoleBinding" {
			continue
		}
		var binding rbacv1.ClusterRoleBinding
		find(t, built, r.GetKind(), r.GetName(), &binding)
		want := []rbacv1.Subject{{Kind: "ServiceAccount", Name: program, Namespace: "trainyard-system"}}
		if diff := cmp.Diff(want, binding.Subjects); diff != "" {
			t.Error(diff)
		}
		if name := binding.RoleRef.Name; name != program && name != program+"-preflight" {
			t.Errorf("%s binds %s", r.GetName(), name)
		}
	}
}

// The pod passes the restricted profile and can write nowhere.
func TestPodIsRestricted(t *testing.T) {
	var deployment appsv1.Deployment
	find(t, build(t, "."), "Deployment", program, &deployment)
	pod := deployment.Spec.Template.Spec
	if s := pod.SecurityContext; !*s.RunAsNonRoot || s.SeccompProfile.Type != "RuntimeDefault" || *s.RunAsUser == 0 {
		t.Errorf("pod: %+v", s)
	}
	for _, c := range pod.Containers {
		s := c.SecurityContext
		if *s.AllowPrivilegeEscalation || !*s.ReadOnlyRootFilesystem || len(s.Capabilities.Add) > 0 || s.Capabilities.Drop[0] != "ALL" {
			t.Errorf("container %s: %+v", c.Name, s)
		}
		if c.LivenessProbe == nil || c.ReadinessProbe == nil || c.Resources.Limits.Memory().IsZero() {
			t.Errorf("container %s lacks a probe or a limit", c.Name)
		}
	}
	if len(pod.Volumes) > 0 || pod.HostNetwork {
		t.Error("the pod has volumes or the host's network")
	}
}

// A selector that misses the pods would make its object void.
func TestSelectors(t *testing.T) {
	built := build(t, ".")
	var deployment appsv1.Deployment
	find(t, built, "Deployment", program, &deployment)
	labels := deployment.Spec.Template.Labels
	var policy networkingv1.NetworkPolicy
	find(t, built, "NetworkPolicy", program, &policy)
	var budget policyv1.PodDisruptionBudget
	find(t, built, "PodDisruptionBudget", program, &budget)
	for name, got := range map[string]map[string]string{
		"Deployment": deployment.Spec.Selector.MatchLabels, "NetworkPolicy": policy.Spec.PodSelector.MatchLabels,
		"PodDisruptionBudget": budget.Spec.Selector.MatchLabels,
	} {
		if diff := cmp.Diff(labels, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// The program must know every argument that the manifests give it.
func TestArguments(t *testing.T) {
	for name, c := range map[string]struct {
		built resmap.ResMap
		want  mirror.Options
	}{
		"base":            {build(t, "."), mirror.Options{SSHSecrets: true}},
		"without-secrets": {build(t, "without-secrets"), mirror.Options{}},
		"soft-ttl":        {withComponents(t, "soft-ttl"), mirror.Options{SSHSecrets: true, SoftTTL: true}},
	} {
		t.Run(name, func(t *testing.T) {
			var deployment appsv1.Deployment
			find(t, c.built, "Deployment", program, &deployment)
			var got mirror.Options
			flags := flag.NewFlagSet(program, flag.ContinueOnError)
			got.AddFlags(flags)
			if err := flags.Parse(deployment.Spec.Template.Spec.Containers[0].Args); err != nil {
				t.Fatal(err)
			}
			if got.SSHSecrets != c.want.SSHSecrets || got.SoftTTL != c.want.SoftTTL || !got.LeaderElection {
				t.Errorf("options are %+v", got)
			}
		})
	}
}

// The dashboard asks for metrics of the mirror's own by names that exist.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("components/monitoring/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Targets []struct {
				Expr string `json:"expr"`
			} `json:"targets"`
		} `json:"panels"`
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			for _, word := range strings.FieldsFunc(target.Expr, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) {
				if strings.HasPrefix(word, "trainyard_") {
					asked[word] = true
				}
			}
		}
	}
	if diff := cmp.Diff(metricNames(t), asked); diff != "" {
		t.Error(diff)
	}
}

// metricNames are those of the mirror's own metrics.
func metricNames(t *testing.T) map[string]bool {
	t.Helper()
	registry := prometheus.NewRegistry()
	if _, err := mirror.NewMetrics(registry); err != nil {
		t.Fatal(err)
	}
	descriptions := make(chan *prometheus.Desc, 100)
	registry.Describe(descriptions)
	close(descriptions)
	names := map[string]bool{}
	for d := range descriptions {
		_, rest, _ := strings.Cut(d.String(), `fqName: "`)
		name, _, _ := strings.Cut(rest, `"`)
		names[name] = true
	}
	return names
}
