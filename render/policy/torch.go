// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/trainyard/trainyard/render/finding"
)

// torchrun reads its flags from PET_ variables too: how many nodes there are
// and which one this is, how many processes to start on it, and where the first
// node listens. Only torchrun reads them; a script started by plain python
// doesn't. Source: torch.distributed.run.

const (
	torchNodes     = "PET_NNODES"
	torchProcesses = "PET_NPROC_PER_NODE"
	torchNode      = "PET_NODE_RANK"
	torchMaster    = "PET_MASTER_ADDR"
	torchPort      = "PET_MASTER_PORT"
)

// auto lets torchrun start one process for each GPU that it sees.
const auto = "auto"

var torch = Policy{
	Name:    "torch",
	Applies: func(j Job) bool { return j.Framework == Torch },
	Check: func(j Job) []finding.Finding {
		return slices.Concat(
			reserved(j, torchNodes, torchProcesses, torchNode, torchMaster, torchPort),
			injectionTargets(j))
	},
	Layer: func(j Job) Layer {
		ranks := []corev1.EnvVar{
			value(torchNodes, torchNodeCount(j)),
			value(torchProcesses, torchProcessesPerNode(j)),
			podIndex(torchNode),
		}
		master := []corev1.EnvVar{
			value(torchMaster, j.Leader()),
			value(torchPort, trainerPort),
		}
		env := slices.Concat(ranks, master)
		if runsTorchtune(j) { // which is told where to meet on its command line
			env = ranks
		}
		layer := onTrainer(j, ContainerLayer{
			Env:   env,
			Ports: []corev1.ContainerPort{{ContainerPort: trainerPort}},
		})
		return inject(j, layer, slices.Concat(ranks, master))
	},
}

// torchNodeCount is 1 where no job trains, and a sidecar alone is told of it.
func torchNodeCount(j Job) int32 {
	if _, trains := j.TrainerJob(); !trains {
		return 1
	}
	return j.Nodes
}

// torchProcessesPerNode is the TrainJob's own number, "auto" where there is a
// GPU, and else a process for each CPU.
func torchProcessesPerNode(j Job) string {
	switch {
	case j.Trainer.NumProcPerNode != nil:
		return fmt.Sprint(*j.Trainer.NumProcPerNode)
	case j.HasGPU():
		return auto
	default:
		return fmt.Sprint(max(j.CPUsPerNode(), 1))
	}
}

// inject adds the variables to the containers that the runtime's envInjection
// names: preflight checks and sidecars that must find the master too.
func inject(j Job, layer Layer, env []corev1.EnvVar) Layer {
	if j.MLPolicy.Torch.EnvInjection == nil {
		return layer
	}
	if layer.Jobs == nil {
		layer.Jobs = map[string]JobLayer{}
	}
	for _, target := range j.MLPolicy.Torch.EnvInjection.Targets {
		job := layer.Jobs[target.JobName]
		if job.Containers == nil {
			job.Containers = map[string]ContainerLayer{}
		}
		for _, name := range target.ContainerNames {
			c := job.Containers[name]
			c.Env = env
			job.Containers[name] = c
		}
		layer.Jobs[target.JobName] = job
	}
	return layer
}

func injectionTargets(j Job) []finding.Finding {
	if j.MLPolicy.Torch.EnvInjection == nil {
		return nil
	}
	var found []finding.Finding
	for i, target := range j.MLPolicy.Torch.EnvInjection.Targets {
		r, _ := j.Replicated(target.JobName)
		for k, name := range target.ContainerNames {
			if !hasContainer(Pod(r), name) {
				found = append(found, finding.Errorf(finding.EnvInjectionTarget, "spec.runtimeRef",
					"the runtime's mlPolicy.torch.envInjection.targets[%d].containerNames[%d] names container %q of job %q, which the runtime does not have; correct the runtime",
					i, k, name, target.JobName))
			}
		}
	}
	return found
}

func hasContainer(pod corev1.PodSpec, name string) bool {
	return slices.ContainsFunc(slices.Concat(pod.Containers, pod.InitContainers),
		func(c corev1.Container) bool { return c.Name == name })
}
