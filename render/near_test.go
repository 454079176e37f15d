// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/render/policy"
)

// world is what is rendered, and edits are made to it.
type world struct {
	t    trainer.TrainJob
	rt   render.Runtime
	opts render.Options
}

// sound is a world in which nothing is found.
func sound(t *testing.T) *world {
	t.Helper()
	w := &world{}
	var rt trainer.ClusterTrainingRuntime
	for text, into := range map[string]any{`
metadata: {name: run, namespace: team-a}
spec:
  runtimeRef: {name: rt}
  trainer: {numNodes: 2}
`: &w.t, `
spec:
  mlPolicy: {numNodes: 1, torch: {}}
  template:
    spec:
      replicatedJobs:
      - name: dataset-initializer
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer}}
          spec:
            template:
              spec:
                containers: [{name: dataset-initializer, image: init, volumeMounts: [{name: initializer, mountPath: /workspace}]}]
                volumes: [{name: initializer, emptyDir: {}}]
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec:
            template:
              spec:
                containers: [{name: node, image: train, resources: {limits: {cpu: 2}}}]
`: &rt} {
		if err := yaml.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	w.rt = render.Runtime{Kind: trainer.ClusterTrainingRuntimeKind, Name: "rt", Labels: map[string]string{}, Spec: rt.Spec}
	w.t.Labels, w.t.Annotations = map[string]string{}, map[string]string{}
	w.rt.Spec.Template.Labels, w.rt.Spec.Template.Annotations = map[string]string{}, map[string]string{}
	return w
}

func (w *world) job(i int) *jobset.ReplicatedJob { return &w.rt.Spec.Template.Spec.ReplicatedJobs[i] }
func (w *world) node() *jobset.ReplicatedJob {
	return w.job(len(w.rt.Spec.Template.Spec.ReplicatedJobs) - 1)
}
func (w *world) pod() *corev1.PodSpec { return &w.node().Template.Spec.Template.Spec }
func (w *world) queued(suspend *bool) { w.t.Labels[marks.QueueName], w.t.Spec.Suspend = "q", suspend }

// mpi makes the runtime one of MPI, whose job called node has workers.
func (w *world) mpi() *trainer.MPIMLPolicySource {
	w.rt.Spec.MLPolicy.Torch, w.rt.Spec.MLPolicy.MPI = nil, &trainer.MPIMLPolicySource{}
	return w.rt.Spec.MLPolicy.MPI
}

func (w *world) patch(manager string, job trainer.ReplicatedJobPatch) {
	w.t.Spec.RuntimePatches = []trainer.RuntimePatch{{Manager: manager, TrainingRuntimeSpec: &trainer.TrainingRuntimeSpecPatch{
		Template: &trainer.JobSetTemplatePatch{Spec: &trainer.JobSetSpecPatch{ReplicatedJobs: []trainer.ReplicatedJobPatch{job}}},
	}}}
}

func podPatch(job string, pod trainer.PodSpecPatch) trainer.ReplicatedJobPatch {
	return trainer.ReplicatedJobPatch{Name: job, Template: &trainer.JobTemplatePatch{Spec: &trainer.JobSpecPatch{Template: &trainer.PodTemplatePatch{Spec: &pod}}}}
}

// nearMiss is what a rule finds, and beside it what is just on the allowed side.
type nearMiss struct {
	rule      finding.Rule
	field     string // the finding's, or its beginning
	hit, near func(w *world)
}

// nearMisses are those of fit and of day 2.
var nearMisses = []nearMiss{
	{finding.RuntimeDeprecated, "metadata.labels",
		func(w *world) { w.rt.Labels[marks.Support] = "deprecated" }, func(w *world) { w.rt.Labels[marks.Support] = "experimental" }},
	{finding.UnsupportedPolicy, "spec.mlPolicy.flux",
		func(w *world) { w.rt.Spec.MLPolicy.Torch, w.rt.Spec.MLPolicy.Flux = nil, &trainer.FluxMLPolicySource{} },
		func(w *world) { w.rt.Spec.MLPolicy.Torch, w.rt.Spec.MLPolicy.JAX = nil, &trainer.JAXMLPolicySource{} }},
	{finding.UnsupportedPolicy, "spec.mlPolicy.mpi",
		func(w *world) { w.mpi().MPIImplementation = new(trainer.MPIImplementation) },
		func(w *world) { w.mpi().MPIImplementation = new(trainer.MPIImplementationOpenMPI) }},
	{finding.PodMount, "spec.mlPolicy.mpi.sshAuthMountPath",
		func(w *world) { w.mpi().SSHAuthMountPath = new("") }, func(w *world) { w.mpi().SSHAuthMountPath = nil }},
	{finding.PodContainer, "spec.trainer.image",
		func(w *world) { w.t.Spec.Trainer.Image = new("") }, func(w *world) { w.t.Spec.Trainer.Image = nil }},
	{finding.UnreachablePeers, "spec.template.spec.replicatedJobs[1]",
		func(w *world) { w.node().Template.Spec.CompletionMode = new(batchv1.NonIndexedCompletion) },
		func(w *world) { w.job(0).Template.Spec.CompletionMode = new(batchv1.NonIndexedCompletion) }},
	{finding.UnreachablePeers, "spec.template.spec.network",
		func(w *world) {
			w.rt.Spec.Template.Spec.Network = &jobset.Network{EnableDNSHostnames: new(bool)}
		},
		func(w *world) {
			w.rt.Spec.Template.Spec.Network, w.rt.Spec.MLPolicy.Torch = &jobset.Network{EnableDNSHostnames: new(bool)}, nil
		}},
	{finding.NoJobs, "spec.template.spec.replicatedJobs",
		func(w *world) { w.rt.Spec.Template.Spec.ReplicatedJobs = nil },
		func(w *world) { w.rt.Spec.Template.Spec.ReplicatedJobs = w.rt.Spec.Template.Spec.ReplicatedJobs[1:] }},
	{finding.NodeCount, "spec.mlPolicy.numNodes",
		func(w *world) { w.rt.Spec.MLPolicy.NumNodes = new(int32) }, func(w *world) { w.rt.Spec.MLPolicy.NumNodes = new(int32(1)) }},
	{finding.NodeCount, "spec.mlPolicy.mpi.numProcPerNode",
		func(w *world) { w.mpi().NumProcPerNode = new(int32) }, func(w *world) { w.mpi().NumProcPerNode = new(int32(1)) }},
	{finding.NodeCount, "spec.trainer.numNodes",
		func(w *world) { w.t.Spec.Trainer.NumNodes = new(int32) }, func(w *world) { w.t.Spec.Trainer.NumNodes = new(int32(1)) }},
	{finding.NodeCount, "spec.trainer.numProcPerNode",
		func(w *world) { w.t.Spec.Trainer.NumProcPerNode = new(int32) }, func(w *world) { w.t.Spec.Trainer.NumProcPerNode = new(int32(1)) }},
	{finding.RuntimeReplicas, "spec.template.spec.replicatedJobs[1].replicas",
		func(w *world) { w.node().Replicas = 2 }, func(w *world) { w.node().Replicas = 1 }},
	{finding.RuntimeContainer, "spec.template.spec.replicatedJobs[1]",
		func(w *world) { w.pod().Containers[0].Name = "main" },
		func(w *world) {
			w.pod().Containers = slices.Insert(w.pod().Containers, 0, corev1.Container{Name: "main", Image: "side"})
		}},
	{finding.AncestorLabel, "spec.runtimeRef",
		func(w *world) {
			w.node().Template.Spec.Template.Labels, w.node().Template.Labels = w.node().Template.Labels, nil
		},
		func(w *world) { w.node().Template.Spec.Template.Labels = w.node().Template.Labels }},
	{finding.AncestorLabel, "spec.trainer",
		func(w *world) { w.node().Template.Labels = nil },
		func(w *world) { w.node().Template.Labels, w.t.Spec.Trainer = nil, nil }},
	{finding.AncestorLabel, "spec.trainer.image",
		func(w *world) { w.mpi(); w.node().Template.Labels, w.t.Spec.Trainer.Image = nil, new("other") },
		func(w *world) { w.mpi(); w.node().Template.Labels = nil }},
	{finding.AncestorLabel, "spec.initializer.dataset",
		func(w *world) { w.job(0).Template.Labels, w.t.Spec.Initializer = nil, withDataset() },
		func(w *world) { w.t.Spec.Initializer = withDataset() }},
	{finding.InitializerMissing, "spec.runtimeRef", // the job
		func(w *world) { w.job(0).Name, w.t.Spec.Initializer = "data", withDataset() },
		func(w *world) { w.job(0).Name = "data" }},
	{finding.InitializerMissing, "spec.runtimeRef", // its mount
		func(w *world) {
			w.t.Spec.Initializer = withDataset()
			w.job(0).Template.Spec.Template.Spec.Containers[0].VolumeMounts = nil
		},
		func(w *world) {
			w.t.Spec.Initializer = withDataset()
			w.job(0).Template.Spec.Template.Spec.Containers[0].VolumeMounts[0].MountPath = "/elsewhere"
		}},
	{finding.SeveralTrainers, "spec.runtimeRef",
		func(w *world) { w.job(0).Template.Labels[marks.Ancestor] = policy.StepTrainer },
		func(w *world) { w.job(0).Template.Labels[marks.Ancestor] = policy.StepModel }},
	{finding.ClearedCommand, "spec.trainer.args",
		func(w *world) { w.pod().Containers[0].Args, w.t.Spec.Trainer.Args = []string{"a"}, []string{} },
		func(w *world) { w.t.Spec.Trainer.Args = []string{} }},
	{finding.PlainPython, "spec.trainer.command",
		func(w *world) { w.t.Spec.Trainer.Command = []string{"python", "train.py"} },
		func(w *world) {
			w.t.Spec.Trainer.Command, w.t.Spec.Trainer.NumNodes = []string{"python", "train.py"}, new(int32(1))
		}},
	{finding.NoEffect, "spec.trainer.numProcPerNode",
		func(w *world) {
			w.rt.Spec.MLPolicy.Torch, w.rt.Spec.MLPolicy.JAX = nil, &trainer.JAXMLPolicySource{}
			w.t.Spec.Trainer.NumProcPerNode = new(int32(1))
		},
		func(w *world) { w.t.Spec.Trainer.NumProcPerNode = new(int32(1)) }},
	{finding.NoEffect, "spec.trainer.resourcesPerNode",
		func(w *world) {
			w.rt.Spec.MLPolicy, w.t.Spec.Trainer.ResourcesPerNode = nil, &corev1.ResourceRequirements{}
		},
		func(w *world) {
			w.rt.Spec.MLPolicy.Torch, w.t.Spec.Trainer.ResourcesPerNode = nil, &corev1.ResourceRequirements{}
		}},
	{finding.NoResources, "spec.trainer.resourcesPerNode",
		func(w *world) { w.pod().Containers[0].Resources.Limits = nil },
		func(w *world) {
			w.pod().Containers[0].Resources.Limits = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}
		}},
	{finding.EnvOrder, "spec.trainer.env",
		func(w *world) { w.t.Spec.Trainer.Env = []corev1.EnvVar{{Name: "A", Value: "$(B)"}, {Name: "B"}} },
		func(w *world) { w.t.Spec.Trainer.Env = []corev1.EnvVar{{Name: "B"}, {Name: "A", Value: "$(B) $$(A)"}} }},
	{finding.PatchManager, "spec.runtimePatches[0].manager",
		func(w *world) { w.patch("placement", podPatch("node", trainer.PodSpecPatch{})) },
		func(w *world) { w.patch("a.b/placement", podPatch("node", trainer.PodSpecPatch{})) }},
	{finding.PatchTarget, "spec.runtimePatches[0]", // the job
		func(w *world) { w.patch("a.b/c", podPatch("Node", trainer.PodSpecPatch{})) },
		func(w *world) { w.patch("a.b/c", podPatch("node", trainer.PodSpecPatch{})) }},
	{finding.PatchTarget, "spec.runtimePatches[0]", // its container
		func(w *world) { w.patch("a.b/c", patchedContainer("nodes", nil)) },
		func(w *world) { w.patch("a.b/c", patchedContainer("node", nil)) }},
	{finding.PatchEnv, "spec.runtimePatches[0]",
		func(w *world) { w.patch("a.b/c", patchedContainer("node", []corev1.EnvVar{{Name: "A"}})) },
		func(w *world) {
			w.pod().Containers = append(w.pod().Containers, corev1.Container{Name: "side", Image: "side"})
			w.patch("a.b/c", patchedContainer("side", []corev1.EnvVar{{Name: "A"}}))
		}},
	{finding.PatchReplaces, "spec.runtimePatches[0]",
		func(w *world) { w.pod().Tolerations = tolerations("a"); w.patch("a.b/c", tolerating("b")) },
		func(w *world) { w.pod().Tolerations = tolerations("a"); w.patch("a.b/c", tolerating("b", "a")) }},
	{finding.NoEffect, "spec.runtimeRef",
		func(w *world) { w.mpi(); w.pod().Volumes = []corev1.Volume{{Name: "mpi-ssh-auth"}} },
		func(w *world) { w.mpi(); w.pod().Volumes = []corev1.Volume{{Name: "mpi-ssh"}} }},
	{finding.ReservedEnv, "spec.runtimeRef",
		func(w *world) { w.pod().Containers[0].Env = []corev1.EnvVar{{Name: "PET_NNODES", Value: "3"}} },
		func(w *world) { w.pod().Containers[0].Env = []corev1.EnvVar{{Name: "PET_NNODES", Value: "2"}} }},
	{finding.TTLStripped, "spec.template.spec.ttlSecondsAfterFinished",
		func(w *world) { w.rt.Spec.Template.Spec.TTLSecondsAfterFinished = new(int32) },
		func(w *world) {
			w.rt.Spec.Template.Spec.TTLSecondsAfterFinished, w.opts.TTL = new(int32), render.TTLKeep
		}},
	{finding.TTLKept, "spec.template.spec.replicatedJobs[1].template.spec.ttlSecondsAfterFinished",
		func(w *world) {
			w.node().Template.Spec.TTLSecondsAfterFinished, w.opts.TTL = new(int32), render.TTLKeep
		},
		func(w *world) { w.node().Template.Spec.TTLSecondsAfterFinished = new(int32) }},
	{finding.NoEffect, "metadata.annotations[" + marks.QueueName,
		func(w *world) { w.t.Annotations[marks.QueueName] = "q" }, func(w *world) { w.queued(new(true)) }},
	{finding.NoEffect, "metadata.annotations[" + marks.KueuePrefix,
		func(w *world) { w.t.Annotations[marks.KueuePrefix+"podset-required-topology"] = "rack" },
		func(w *world) {
			w.node().Template.Spec.Template.Annotations = map[string]string{marks.KueuePrefix + "podset-required-topology": "rack"}
		}},
	{finding.NoEffect, "metadata.labels[" + marks.QueueName,
		func(w *world) { w.queued(new(true)); w.rt.Spec.Template.Labels[marks.QueueName] = "p" },
		func(w *world) { w.queued(new(true)); w.rt.Spec.Template.Labels[marks.QueueName] = "q" }},
	{finding.NoEffect, "metadata.annotations[" + marks.VolcanoQueue,
		func(w *world) { w.t.Annotations[marks.VolcanoQueue] = "q" },
		func(w *world) { w.rt.Spec.Template.Annotations[marks.VolcanoQueue] = "q" }},
	{finding.QueueSuspend, "spec.suspend",
		func(w *world) { w.queued(new(false)) }, func(w *world) { w.t.Spec.Suspend = new(false) }},
	{finding.QueueSuspend, "spec.suspend",
		func(w *world) { w.queued(nil) }, func(w *world) { w.queued(new(true)) }},
	{finding.SuspendedAgain, "spec.suspend",
		func(w *world) { w.t.Spec.Suspend = new(true) }, func(w *world) { w.queued(new(true)) }},
	{finding.QueueMark, "metadata.labels",
		func(w *world) { w.t.Labels[marks.KueuePrefix+"prebuilt-workload-name"] = "a" },
		func(w *world) { w.t.Labels[marks.KueuePrefix+"priority-class"] = "a" }},
	{finding.QueueMark, "metadata.annotations",
		func(w *world) { w.t.Annotations[marks.KueuePrefix+"multikueue-origin"] = "a" },
		func(w *world) { w.t.Annotations[marks.KueuePrefix+"podset-required-topology"] = "a" }},
	{finding.QueueTolerations, "spec.runtimeRef",
		func(w *world) { w.queued(new(true)); w.pod().Tolerations = tolerations("a") },
		func(w *world) { w.pod().Tolerations = tolerations("a") }},
	{finding.DeletesRun, "metadata.annotations",
		func(w *world) { w.t.Annotations["argocd.argoproj.io/sync-options"] = "Prune=false, Force=true" },
		func(w *world) { w.t.Annotations["argocd.argoproj.io/sync-options"] = "Prune=false, Force=false" }},
	{finding.DeletesRun, "metadata.annotations",
		func(w *world) { w.t.Annotations[marks.ArgoHook] = "Sync" }, func(w *world) { w.t.Annotations[marks.ArgoHook] = "Skip" }},
	{finding.DeletesRun, "metadata.annotations",
		func(w *world) { w.t.Annotations["kustomize.toolkit.fluxcd.io/force"] = "Enabled" },
		func(w *world) { w.t.Annotations["kustomize.toolkit.fluxcd.io/force"] = "disabled" }},
	{finding.DeadlinePerJob, "spec.activeDeadlineSeconds",
		func(w *world) { w.t.Spec.ActiveDeadlineSeconds = 1 }, func(w *world) { w.t.Spec.ActiveDeadlineSeconds = 0 }},
	{finding.SSHSecret, "spec.runtimeRef",
		func(w *world) { w.mpi() }, func(w *world) { w.mpi(); w.node().Name = "worker" }},
	{finding.NameInText, "spec.trainer",
		func(w *world) {
			w.t.Spec.Trainer.Args, w.opts.NameSuffix = []string{"--master=run-node-0-0"}, render.NameSuffixContentHash
		},
		func(w *world) {
			w.t.Spec.Trainer.Args, w.opts.NameSuffix = []string{"--master=run-node-1-0"}, render.NameSuffixContentHash
		}},
	{finding.SpecTooLong, "spec",
		func(w *world) {
			w.opts.Mirror, w.t.Spec.Trainer.Env = render.MirrorCreate, []corev1.EnvVar{{Name: "A", Value: strings.Repeat("a", marks.MaxTrainJobSpec)}}
		},
		func(w *world) {
			w.opts.Mirror, w.t.Spec.Trainer.Args = render.MirrorCreate, []string{strings.Repeat("a", marks.MaxTrainJobSpec)}
		}},
}

func withDataset() *trainer.Initializer {
	return &trainer.Initializer{Dataset: &trainer.DatasetInitializer{StorageUri: new("hf://a/b")}}
}

func patchedContainer(name string, env []corev1.EnvVar) trainer.ReplicatedJobPatch {
	return podPatch("node", trainer.PodSpecPatch{Containers: []trainer.ContainerPatch{{Name: name, Env: env}}})
}

func tolerations(keys ...string) []corev1.Toleration {
	var list []corev1.Toleration
	for _, key := range keys {
		list = append(list, corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists})
	}
	return list
}

func tolerating(keys ...string) trainer.ReplicatedJobPatch {
	return podPatch("node", trainer.PodSpecPatch{Tolerations: tolerations(keys...)})
}

// TestNearMisses: a rule finds what it is for, and not what is beside it.
func TestNearMisses(t *testing.T) {
	finds := func(rule finding.Rule, field string, edit func(*world)) bool {
		w := sound(t)
		edit(w)
		return slices.ContainsFunc(render.Render(&w.t, w.rt, w.opts).Findings, func(f finding.Finding) bool {
			return f.Rule == rule && strings.HasPrefix(f.Field, field)
		})
	}
	if w := sound(t); len(render.Render(&w.t, w.rt, w.opts).Findings) > 0 {
		t.Fatalf("without an edit: %v", render.Render(&w.t, w.rt, w.opts).Findings)
	}
	for i, miss := range nearMisses {
		if !finds(miss.rule, miss.field, miss.hit) {
			t.Errorf("%d: %s is not found at %s", i, miss.rule, miss.field)
		}
		if finds(miss.rule, miss.field, miss.near) {
			t.Errorf("%d: %s is found in what is just allowed", i, miss.rule)
		}
	}
}

// TestEachRuleHasANearMiss reads which rules fit and day 2 speak of.
func TestEachRuleHasANearMiss(t *testing.T) {
	values := ruleValues(t)
	files, err := filepath.Glob("fit*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "day2.go") {
		ast.Inspect(parsed(t, file), func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			from, ok := selector.X.(*ast.Ident)
			rule := values[selector.Sel.Name]
			if ok && from.Name == "finding" && rule != "" && !slices.ContainsFunc(nearMisses, func(m nearMiss) bool { return m.rule == rule }) {
				t.Errorf("%s: %s has no near miss", file, rule)
			}
			return true
		})
	}
}

// ruleValues are the rules by the names of their constants.
func ruleValues(t *testing.T) map[string]finding.Rule {
	t.Helper()
	values := map[string]finding.Rule{}
	ast.Inspect(parsed(t, "finding/rules.go"), func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			id, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			values[spec.Names[0].Name] = finding.Rule(id)
		}
		return true
	})
	return values
}

func parsed(t *testing.T, path string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
