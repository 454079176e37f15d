// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	corev1 "k8s.io/api/core/v1"
)

// Initializers fetch the dataset and the model before training starts. Each is
// a job of the runtime whose label and container carry its name; it is told
// what to fetch by STORAGE_URI, and its credentials come from a Secret.

const storageURI = "STORAGE_URI"

var initializers = Policy{
	Name:    "initializer",
	Applies: func(j Job) bool { return j.Initializer.Dataset != nil || j.Initializer.Model != nil },
	Layer: func(j Job) Layer {
		jobs := map[string]JobLayer{}
		if dataset := j.Initializer.Dataset; dataset != nil {
			fetch(j, jobs, StepDataset, fetcher(dataset.StorageUri, dataset.Env, dataset.SecretRef))
		}
		if model := j.Initializer.Model; model != nil {
			fetch(j, jobs, StepModel, fetcher(model.StorageUri, model.Env, model.SecretRef))
		}
		return Layer{Jobs: jobs}
	},
}

// fetch lays c on the initializer's container in each job that plays the step.
func fetch(j Job, jobs map[string]JobLayer, step string, c ContainerLayer) {
	for r := range byStep(j.Spec, step) {
		if _, ok := Container(Pod(r), step); ok {
			jobs[r.Name] = JobLayer{Containers: map[string]ContainerLayer{step: c}}
		}
	}
}

func fetcher(uri *string, env []corev1.EnvVar, secret *corev1.LocalObjectReference) ContainerLayer {
	var c ContainerLayer
	if uri != nil {
		c.Env = append(c.Env, value(storageURI, *uri))
	}
	c.Env = append(c.Env, env...)
	if secret != nil {
		c.EnvFrom = []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: *secret}}}
	}
	return c
}
