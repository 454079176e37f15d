// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package runtimes

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
)

func ref(kind, name string) trainer.RuntimeRef {
	if kind == "" {
		return trainer.RuntimeRef{Name: name}
	}
	return trainer.RuntimeRef{Kind: &kind, Name: name}
}

func entry(kind, namespace, name string) Entry {
	return Entry{Runtime: render.Runtime{Kind: kind, Name: name}, Namespace: namespace}
}

func TestBuiltin(t *testing.T) {
	want := []string{
		"deepspeed-distributed", "jax-distributed", "mlx-distributed", "torch-distributed", "torch-distributed-with-cache",
		"torchtune-llama3.2-1b", "torchtune-llama3.2-3b", "torchtune-qwen2.5-1.5b", "xgboost-distributed",
	}
	if diff := cmp.Diff(want, builtinNames()); diff != "" {
		t.Fatalf("built-in runtimes (-want +got):\n%s", diff)
	}
	for _, name := range want {
		got, ok := Builtin().Resolve(ref("", name), "team-a")
		if !ok || got.Name != name || !got.BuiltIn || got.Kind != trainer.ClusterTrainingRuntimeKind || got.Spec.Template.Spec.ReplicatedJobs == nil {
			t.Errorf("Resolve(%s) = %+v, %v", name, got, ok)
		}
	}
	if _, ok := (Catalog{}).Resolve(ref("", want[0]), "team-a"); ok {
		t.Error("the empty catalog has a built-in runtime")
	}
}

func TestResolve(t *testing.T) {
	cluster, namespaced := trainer.ClusterTrainingRuntimeKind, trainer.TrainingRuntimeKind
	catalog := Builtin().With(
		entry(cluster, "", "both"), entry(namespaced, "team-a", "both"),
		entry(cluster, "kustomize-put-this-here", "stray"),
		entry(namespaced, "", "homeless"),
		entry(cluster, "", "torch-distributed"),
	)
	foreign := ref(cluster, "both")
	foreign.APIGroup = new("batch")
	for _, c := range []struct {
		name      string
		ref       trainer.RuntimeRef
		namespace string
		want      Entry
	}{
		{"kind left out", ref("", "both"), "team-a", entry(cluster, "", "both")},
		{"namespaced", ref(namespaced, "both"), "team-a", entry(namespaced, "team-a", "both")},
		{"namespaced, elsewhere", ref(namespaced, "both"), "team-b", Entry{}},
		{"cluster-wide with a namespace", ref(cluster, "stray"), "team-a", entry(cluster, "kustomize-put-this-here", "stray")},
		{"no namespace is default", ref(namespaced, "homeless"), "default", entry(namespaced, "", "homeless")},
		{"no namespace is not any", ref(namespaced, "homeless"), "team-a", Entry{}},
		{"the package wins", ref("", "torch-distributed"), "team-a", entry(cluster, "", "torch-distributed")},
		{"no such name", ref("", "none"), "team-a", Entry{}},
		{"no such kind", ref("SlurmRuntime", "both"), "team-a", Entry{}},
		{"another group", foreign, "team-a", Entry{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := catalog.Resolve(c.ref, c.namespace)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if ok != (c.want.Name != "") {
				t.Errorf("ok = %v", ok)
			}
		})
	}
}

func TestWithLeavesTheCatalogUnchanged(t *testing.T) {
	one := Catalog{}.With(entry("ClusterTrainingRuntime", "", "one"))
	one.With(entry("ClusterTrainingRuntime", "", "two"))
	if _, ok := one.Resolve(ref("", "two"), ""); ok {
		t.Error("With changed its receiver")
	}
}

func TestMissing(t *testing.T) {
	cluster, namespaced := trainer.ClusterTrainingRuntimeKind, trainer.TrainingRuntimeKind
	team := Catalog{}.With(entry(namespaced, "team-a", "ours"), entry(namespaced, "", "homeless"), entry(cluster, "", "shared"))
	foreign := ref(cluster, "shared")
	foreign.APIGroup = new("batch")
	for _, c := range []struct {
		name      string
		catalog   Catalog
		ref       trainer.RuntimeRef
		namespace string
		rule      finding.Rule
		message   string
	}{
		{"misspelt", Builtin(), ref("", "torch-distribted"), "team-a", finding.RuntimeMissing, "ClusterTrainingRuntime torch-distribted is not here: did you mean torch-distributed? There are: deepspeed-distributed, jax-distributed, mlx-distributed, torch-distributed, torch-distributed-with-cache, torchtune-llama3.2-1b, torchtune-llama3.2-3b, torchtune-qwen2.5-1.5b, xgboost-distributed"},
		{"unlike any", team, ref("", "nothing"), "team-a", finding.RuntimeMissing, "ClusterTrainingRuntime nothing is not here: name one of shared, or add it to the package"},
		{"none at all", Catalog{}, ref("", "nothing"), "team-a", finding.RuntimeMissing, "ClusterTrainingRuntime nothing is not here: there is none of this kind; add it to the package"},
		{"built in, not asked for", team, ref("", "jax-distributed"), "team-a", finding.RuntimeMissing, "ClusterTrainingRuntime jax-distributed is not here: add it to the package, or set builtinRuntimes: true to use the one of the Trainer's release"},
		{"built in, other kind", Builtin(), ref(namespaced, "jax-distributed"), "team-a", finding.RuntimeMissing, "TrainingRuntime jax-distributed in namespace team-a is not here: there is a built-in ClusterTrainingRuntime of that name; leave out spec.runtimeRef.kind"},
		{"other kind", team, ref("", "ours"), "team-a", finding.RuntimeMissing, "ClusterTrainingRuntime ours is not here: there is a TrainingRuntime of that name; write spec.runtimeRef.kind: TrainingRuntime"},
		{"other namespace", team, ref(namespaced, "ours"), "team-b", finding.RuntimeMissing, "TrainingRuntime ours in namespace team-b is not here: the TrainingRuntime of that name is in namespace team-a; it must be in the TrainJob's, team-b"},
		{"no namespace", team, ref(namespaced, "homeless"), "team-b", finding.RuntimeMissing, "TrainingRuntime homeless in namespace team-b is not here: the TrainingRuntime of that name has no namespace; give it namespace: team-b"},
		{"kind", team, ref("SlurmRuntime", "shared"), "team-a", finding.RuntimeKind, `"SlurmRuntime" is not a kind of runtime; write ClusterTrainingRuntime or TrainingRuntime`},
		{"group", team, foreign, "team-a", finding.RuntimeKind, `"batch" is not the group of a runtime; leave it out, or write trainer.kubeflow.org`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.catalog.Missing(c.ref, c.namespace)
			if got.Rule != c.rule || got.Message != c.message {
				t.Errorf("got  %s: %s\nwant %s: %s", got.Rule, got.Message, c.rule, c.message)
			}
		})
	}
}
