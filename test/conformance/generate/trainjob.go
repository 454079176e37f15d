// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package generate

import "slices"

func (d dice) trainJob(r madeRuntime) object {
	metadata := object{"name": d.trainJobName()}
	d.maybe(20, metadata, "namespace", func() any { return pick(d, "team-a", "default") })
	d.maybe(20, metadata, "labels", d.trainJobLabels)
	d.maybe(15, metadata, "annotations", d.trainJobAnnotations)
	if namespace := metadata["namespace"]; namespace != nil && r.kind == "TrainingRuntime" && r.written != nil && d.percent(95) {
		r.written["metadata"].(object)["namespace"] = namespace
	}
	spec := object{"runtimeRef": d.runtimeRef(r)}
	d.maybe(85, spec, "trainer", func() any { return d.trainer(r) })
	d.maybe(d.initializerShare(r), spec, "initializer", d.initializer)
	d.maybe(25, spec, "runtimePatches", func() any { return d.patches(r) })
	d.maybe(12, spec, "suspend", func() any { return d.one(2) })
	d.maybe(8, spec, "activeDeadlineSeconds", d.seconds)
	d.maybe(8, spec, "managedBy", func() any {
		return pick(d, "trainer.kubeflow.org/trainjob-controller", "kueue.x-k8s.io/multikueue")
	})
	return object{"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": metadata, "spec": spec}
}

func (d dice) trainJobLabels() any {
	m := d.stringMap()
	d.maybe(40, m, "kueue.x-k8s.io/queue-name", func() any { return "gold" })
	d.maybe(10, m, "kueue.x-k8s.io/priority-class", func() any { return "high" })
	d.maybe(10, m, "argocd.argoproj.io/instance", func() any { return "app" })
	return m
}

func (d dice) trainJobAnnotations() any {
	m := d.stringMap()
	d.maybe(20, m, "kueue.x-k8s.io/podset-required-topology", func() any { return "rack" })
	d.maybe(20, m, "argocd.argoproj.io/sync-options", func() any { return "Prune=false" })
	d.maybe(10, m, "argocd.argoproj.io/tracking-id", func() any { return "app:x" })
	d.maybe(4, m, "trainyard.dev/rendr", func() any { return "disabled" })
	d.maybe(10, m, "kustomize.toolkit.fluxcd.io/prune", func() any { return "disabled" })
	return m
}

func (d dice) runtimeRef(r madeRuntime) object {
	ref := object{"name": r.name}
	if r.kind != "ClusterTrainingRuntime" || d.percent(30) {
		ref["kind"] = r.kind
	}
	d.maybe(30, ref, "apiGroup", func() any { return "trainer.kubeflow.org" })
	switch d.IntN(120) {
	case 0:
		ref["name"] = "missing"
	case 1:
		ref["kind"] = pick(d, "TrainingRuntime", "ClusterTrainingRuntime", "Runtime")
	case 2:
		ref["apiGroup"] = "example.com"
	}
	return ref
}

func (d dice) trainer(r madeRuntime) any {
	t := object{}
	d.maybe(60, t, "numNodes", d.oddCount)
	d.maybe(35, t, "numProcPerNode", d.oddCount)
	d.maybe(30, t, "image", d.image)
	d.maybe(50, t, "resourcesPerNode", d.resources)
	d.maybe(30, t, "env", func() any { return d.env(2) })
	if prefix := prefixes[r.policy]; prefix != "" && d.one(12) {
		t["env"] = list{d.variable(pick(d, withPrefix(prefix)...))}
	}
	d.maybe(25, t, "command", d.words)
	d.maybe(35, t, "args", d.words)
	if tunes := slices.Contains([]string{"torchtune-llama3.2-1b", "torchtune-llama3.2-3b", "torchtune-qwen2.5-1.5b", "torchtune-llama3.3-70b"}, r.name); tunes && d.percent(70) || r.policy == "torch" && d.one(20) {
		t["command"] = list{"tune", "run"}
		d.maybe(70, t, "args", d.tuneArgs)
		if d.percent(40) {
			t["numNodes"] = int64(1)
		}
	}
	if claims := t["resourcesPerNode"]; claims != nil && d.one(25) {
		claims.(object)["claims"] = list{object{"name": "gpu"}}
	}
	return t
}

func (d dice) tuneArgs() any {
	args := list{}
	for _, arg := range some(d, 35,
		"model.lora_attn_modules=[q_proj,v_proj]", "model.quantize_base=True", "model.use_dora=true", "dtype=bf16", "model.quantize_base=false") {
		args = append(args, arg)
	}
	if d.one(12) {
		args = append(args, pick(d, "output_dir=/x", "tokenizer.path=/y", "tokenizer.path", "checkpointer.checkpoint_dir=/z"))
	}
	return args
}

// initializerShare: how often a TrainJob has one depends on the runtime.
func (d dice) initializerShare(r madeRuntime) int {
	if slices.Contains(r.jobs, dataset) || slices.Contains(r.jobs, model) {
		return 50
	}
	return 2
}

func (d dice) initializer() any {
	i := object{}
	for _, kind := range some(d, 60, "dataset", "model") {
		one := object{}
		d.maybe(70, one, "storageUri", func() any { return pick(d, "hf://org/data", "s3://bucket/a b", "", "hf://größe") })
		d.maybe(40, one, "env", func() any { return d.env(4) })
		if d.one(10) {
			one["env"] = list{d.variable("STORAGE_URI")}
		}
		d.maybe(40, one, "secretRef", func() any { return object{"name": "token"} })
		i[kind] = one
	}
	return i
}
