// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/trainyard/trainyard/render/finding"
)

// JAX finds its peers through three variables: how many processes there are,
// which one this is, and where the first one listens.
// Source: jax.distributed.initialize.

const (
	jaxProcesses   = "JAX_NUM_PROCESSES"
	jaxProcess     = "JAX_PROCESS_ID"
	jaxCoordinator = "JAX_COORDINATOR_ADDRESS"
)

var jax = Policy{
	Name:    "jax",
	Applies: func(j Job) bool { return j.Framework == JAX },
	Check:   overriddenJAX,
	Layer: func(j Job) Layer {
		return onTrainer(j, ContainerLayer{
			Env: []corev1.EnvVar{
				value(jaxProcesses, j.Nodes),
				podIndex(jaxProcess),
				value(jaxCoordinator, fmt.Sprintf("%s:%d", j.Leader(), trainerPort)),
			},
			Ports: []corev1.ContainerPort{{ContainerPort: trainerPort}},
		})
	},
}

// overriddenJAX warns where the other policies refuse: the Trainer lets a
// TrainJob set JAX's variables.
func overriddenJAX(j Job) []finding.Finding {
	var found []finding.Finding
	for i, env := range j.Trainer.Env {
		if slices.Contains([]string{jaxProcesses, jaxProcess, jaxCoordinator}, env.Name) {
			found = append(found, finding.Warningf(finding.ReservedEnv, fmt.Sprintf("spec.trainer.env[%d].name", i),
				"%s is set by the jax policy, and this value replaces it; remove it unless the processes find each other in your own way", env.Name))
		}
	}
	return found
}
