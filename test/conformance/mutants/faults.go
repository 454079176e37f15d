// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

// fault is a line of the renderer made wrong.
type fault struct {
	name, file   string
	right, wrong string
}

const (
	policies = "render/policy/"
	steps    = "render/"
)

var faults = []fault{
	{"JAX opens no port", policies + "jax.go", `Ports: []corev1.ContainerPort{{ContainerPort: trainerPort}},`, ``},
	{"JAX counts from the wrong number", policies + "jax.go", `value(jaxProcesses, j.Nodes)`, `value(jaxProcesses, j.Nodes+1)`},
	{"Torch forgets the node's rank", policies + "torch.go", `podIndex(torchNode),`, ``},
	{"Torch takes no account of GPUs", policies + "torch.go", `case j.HasGPU():`, `case false:`},
	{"Torch may start no process", policies + "torch.go", `fmt.Sprint(max(j.CPUsPerNode(), 1))`, `fmt.Sprint(j.CPUsPerNode())`},
	{"torchtune forgets the runtime's paths", policies + "torchtune.go", `return append(command, managedByRuntime(j)...)`, `return command`},
	{"torchtune takes LoRA for QLoRA", policies + "torchtune.go", `case onOneDevice(j) && lora:`, `case onOneDevice(j) && qlora && lora:`},
	{"XGBoost counts nodes only", policies + "xgboost.go", `int64(j.Nodes)*max(j.GPUsPerNode(), 1)`, `int64(j.Nodes)`},
	{"XGBoost's variables are free for all", policies + "xgboost.go", `reserved(j, xgboostTracker, xgboostPort, xgboostTask, xgboostWorkers)`, `reserved(j, xgboostTracker, xgboostPort, xgboostTask)`},
	{"MPI's launcher is no node", policies + "mpi.go", `return max(j.Nodes-1, 1)`, `return j.Nodes`},
	{"MPI's slots ignore GPUs", policies + "mpi.go", `return max(j.GPUsPerNode(), 1)`, `return 1`},
	{"MPI's keys are open to all", policies + "mpi.go", `Mode: new(int32(0o640))`, `Mode: new(int32(0o644))`},
	{"MPI's launcher is not in the hostfile", policies + "mpi.go", `if r.Name == Node || r.Name == Launcher && j.LauncherIsNode() {`, `if r.Name == Node {`},
	{"the initializer's own STORAGE_URI loses", policies + "initializers.go", `c.Env = append(c.Env, env...)`, `c.Env = append(env[:len(env):len(env)], c.Env...)`},
	{"the initializer gets no Secret", policies + "initializers.go", `if secret != nil {`, `if false {`},
	{"addresses ignore the subdomain", policies + "job.go", `if n := j.Spec.Network; n != nil && n.Subdomain != "" {`, `if n := j.Spec.Network; n != nil && n.Subdomain == "-" {`},
	{"a layer appends what it should replace", policies + "layer.go", `			list[at] = item`, `			list = append(list, item)`},
	{"requests win over limits for GPUs", policies + "resources.go", `quantity := list[name]
		sum += quantity.Value()`, `quantity := list[name]
		sum = quantity.Value()`},
	{"a gang ignores replicas", policies + "gang.go", `count := int64(Pods(r)) * int64(max(r.Replicas, 1))`, `count := int64(Pods(r))`},
	{"a gang ignores limits", policies + "gang.go", `r.Requests = Overlay(r.Limits, r.Requests)`, `r.Requests = Overlay(nil, r.Requests)`},
	{"a gang holds what comes before it", policies + "gang.go", `if levels[r.Name] == level {`, `if levels[r.Name] <= level {`},
	{"coscheduling never times out", policies + "coscheduling.go", `ScheduleTimeoutSeconds: j.PodGroupPolicy.Coscheduling.ScheduleTimeoutSeconds,`, ``},
	{"Volcano's queue is lost", policies + "volcano.go", `Queue:             j.Metadata.Annotations[marks.VolcanoQueue],`, ``},
	{"the TrainJob's resources lose", steps + "trainer.go", `policy.Overlay(under.Limits, over.Limits)`, `policy.Overlay(over.Limits, under.Limits)`},
	{"the TrainJob's args are dropped", steps + "trainer.go", `Args: j.Trainer.Args, `, ``},
	{"MPI's workers miss the TrainJob's variables", steps + "trainer.go", `l.Jobs[policy.Node] = onNode(r, policy.ContainerLayer{Env: j.Trainer.Env})`, `_ = r`},
	{"the TrainJob's number of nodes loses", steps + "settle.go", `case j.Trainer.NumNodes != nil:
		return *j.Trainer.NumNodes`, `case j.Trainer.NumNodes != nil && j.MLPolicy.NumNodes == nil:
		return *j.Trainer.NumNodes`},
	{"a patched volume keeps both sources", steps + "merge.go", `		retain(volume)
`, `		_ = volume
`},
	{"the runtime's labels win over a patch's", steps + "patches.go", `policy.Overlay(m.Labels, labels)`, `policy.Overlay(labels, m.Labels)`},
	{"the runtime's node selector wins over a patch's", steps + "merge.go", `policy.Overlay(pod.NodeSelector, patch.NodeSelector)`, `policy.Overlay(patch.NodeSelector, pod.NodeSelector)`},
	{"a patch's tolerations are dropped", steps + "merge.go", `pod.Tolerations = patch.Tolerations`, `_ = patch.Tolerations`},
	{"suspend is never written", steps + "gitops.go", `j.Spec.Suspend = new(true)`, `j.Spec.Suspend = nil`},
	{"the longer deadline wins", steps + "gitops.go", `*job.ActiveDeadlineSeconds > seconds`, `*job.ActiveDeadlineSeconds < seconds`},
	{"a TTL stays on the JobSet", steps + "gitops.go", `		j.Spec.TTLSecondsAfterFinished = nil
`, ``},
	{"jobs are not indexed", steps + "defaults.go", `	orDefault(&r.Template.Spec.CompletionMode, batchv1.IndexedCompletion)
`, `	_ = batchv1.IndexedCompletion
`},
	{"pods restart never", steps + "defaults.go", `corev1.RestartPolicyOnFailure`, `corev1.RestartPolicyNever`},
}
