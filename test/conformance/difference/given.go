// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package difference

import (
	"slices"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// The changes of what the Trainer is given.

// withoutTrainer: a framework lays its variables whether or not there is a
// trainer block to lay them beside.
func withoutTrainer(g *Given) bool {
	p := policy(g)
	return g.Job.Spec.Trainer == nil && (p.Torch != nil || p.JAX != nil || p.XGBoost != nil)
}

func giveTrainer(g *Given) {
	if g.Job.Spec.Trainer == nil {
		g.Job.Spec.Trainer = &trainer.Trainer{}
	}
}

// countsResources: what a node gets is counted, not what the TrainJob says of
// it.
func countsResources(g *Given) bool {
	p := policy(g)
	resources, found := nodeResources(g, countedJob(g))
	if !found || p.Torch == nil && p.XGBoost == nil && p.MPI == nil {
		return false
	}
	counted := asked(g)
	if counted == nil {
		counted = firstResources(g)
	}
	return counted == nil || !sameLists(resources, *counted)
}

// firstResources are those that the Trainer counts when the TrainJob has none.
func firstResources(g *Given) *corev1.ResourceRequirements {
	for i := range g.Template.ReplicatedJobs {
		job := &g.Template.ReplicatedJobs[i]
		if c := container(job, node); c != nil && (job.Name == node || job.Template.Labels[ancestor] == step) {
			return &c.Resources
		}
	}
	return nil
}

func sameLists(a, b corev1.ResourceRequirements) bool {
	return equality.Semantic.DeepEqual(a.Limits, b.Limits) && equality.Semantic.DeepEqual(a.Requests, b.Requests)
}

func countedJob(g *Given) *jobset.ReplicatedJob {
	if worker := named(g.Template.ReplicatedJobs, node); launcherIsNode(g) && container(worker, node) != nil {
		return worker
	}
	return trainerJob(g.Template.ReplicatedJobs)
}

func giveMergedResources(g *Given) {
	resources, _ := nodeResources(g, countedJob(g))
	resources.Claims = nil
	giveTrainer(g)
	g.Job.Spec.Trainer.ResourcesPerNode = resources.DeepCopy()
}

// countsSeveralGPUNames: several names are one number.
func countsSeveralGPUNames(g *Given) bool {
	p, resources := policy(g), asked(g)
	if resources == nil {
		resources = firstResources(g)
	}
	if resources == nil || p.Torch == nil && p.XGBoost == nil && p.MPI == nil {
		return false
	}
	return len(gpuNames(resources.Requests)) > 1 || len(gpuNames(resources.Limits)) > 1
}

func giveOneGPUName(g *Given) {
	giveTrainer(g)
	resources := asked(g)
	if resources == nil {
		resources = firstResources(g).DeepCopy()
		g.Job.Spec.Trainer.ResourcesPerNode = resources
	}
	oneGPUName(g, resources.Requests)
	oneGPUName(g, resources.Limits)
}

func oneGPUName(g *Given, list corev1.ResourceList) {
	names, counted := gpuNames(list), gpuNames(list)
	names = slices.DeleteFunc(names, func(name corev1.ResourceName) bool {
		quantity := list[name]
		return quantity.Value() <= 0
	})
	devices := slices.DeleteFunc(slices.Clone(names), func(name corev1.ResourceName) bool {
		return !strings.HasSuffix(strings.ToLower(string(name)), "/gpu")
	})
	switch {
	case policy(g).Torch != nil && !tunes(g):
		devices = names // one of them is enough
	case len(devices) == 0:
		devices = names[:min(1, len(names))]
	}
	var sum int64
	for _, name := range devices {
		quantity := list[name]
		sum += quantity.Value()
	}
	for _, name := range counted {
		delete(list, name)
	}
	if len(names) > 0 {
		list["example.com/gpu"] = *resource.NewQuantity(sum, resource.DecimalSI)
	}
}

// launchersCounted: the runtime's number of nodes is that of the workers.
func launchersCounted(g *Given) bool {
	p := policy(g)
	return p.MPI != nil && p.NumNodes != nil && *p.NumNodes != 1
}

func giveWorkers(g *Given) {
	p := g.Runtime.MLPolicy
	nodes := *p.NumNodes
	p.NumNodes = nil
	giveTrainer(g)
	if g.Job.Spec.Trainer.NumNodes == nil && nodes > 1 {
		g.Job.Spec.Trainer.NumNodes = &nodes
	}
}

// severalReplicas: a job that plays a step has more than one, which only the
// label that disables the webhook lets pass.
func severalReplicas(g *Given) bool {
	return policy(g).MPI != nil && slices.ContainsFunc(g.Runtime.Template.Spec.ReplicatedJobs, func(r jobset.ReplicatedJob) bool {
		return playsStep(r) && r.Replicas > 1
	})
}

func giveOneReplica(g *Given) {
	jobs := g.Runtime.Template.Spec.ReplicatedJobs
	for i := range jobs {
		if playsStep(jobs[i]) {
			jobs[i].Replicas = 1
		}
	}
}

func playsStep(r jobset.ReplicatedJob) bool {
	return slices.Contains([]string{step, "dataset-initializer", "model-initializer"}, r.Template.Labels[ancestor])
}

// judgedByOwnNodes: torchtune is judged by the number of nodes that it runs on.
func judgedByOwnNodes(g *Given) bool {
	p := policy(g)
	return tunes(g) && p.NumNodes != nil && *p.NumNodes > 1 && g.Job.Spec.Trainer.NumNodes == nil
}

func giveRuntimeNodes(g *Given) { g.Job.Spec.Trainer.NumNodes = g.Runtime.MLPolicy.NumNodes }

// managedElsewhere: the renderer is asked for a TrainJob, whoever manages it.
func managedElsewhere(g *Given) bool {
	by := g.Job.Spec.ManagedBy
	return by != nil && *by == "kueue.x-k8s.io/multikueue"
}

func manageHere(g *Given) { g.Job.Spec.ManagedBy = nil }

// keepResources gives to's containers and PodGroups the resources of from's.
func keepResources(from, to []object) {
	for i := range min(len(from), len(to)) {
		was, _ := from[i]["spec"].(object)
		is, _ := to[i]["spec"].(object)
		if to[i]["kind"] == "PodGroup" {
			is["minResources"] = was["minResources"]
		}
		pairs(was, is, "replicatedJobs", func(was, is object) {
			pairs(podOf(was), podOf(is), "containers", func(was, is object) {
				is["resources"] = was["resources"]
			})
		})
	}
}
