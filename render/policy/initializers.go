// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/trainyard/trainyard/render/finding"
)

// Initializers fetch the dataset and the model before training starts. Each is
// a job of the runtime whose label and container carry its name; it is told
// what to fetch by STORAGE_URI, and its credentials come from a Secret.

const storageURI = "STORAGE_URI"

var initializers = Policy{
	Name:    "initializer",
	Applies: func(j Job) bool { return j.Initializer.Dataset != nil || j.Initializer.Model != nil },
	Check: func(j Job) []finding.Finding {
		var found []finding.Finding
		if dataset := j.Initializer.Dataset; dataset != nil {
			found = append(found, checkFetcher("spec.initializer.dataset", dataset.StorageUri, dataset.Env, dataset.SecretRef)...)
		}
		if model := j.Initializer.Model; model != nil {
			found = append(found, checkFetcher("spec.initializer.model", model.StorageUri, model.Env, model.SecretRef)...)
		}
		return found
	},
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

func checkFetcher(field string, uri *string, env []corev1.EnvVar, secret *corev1.LocalObjectReference) []finding.Finding {
	var found []finding.Finding
	if secret != nil && secret.Name == "" {
		found = append(found, finding.Errorf(finding.PodEnv, field+".secretRef.name", "names no Secret; name it, or drop secretRef"))
	}
	other := func(e corev1.EnvVar) bool { return e.Name == storageURI && e.Value != *uri }
	if uri != nil && *uri != "" && slices.ContainsFunc(env, other) {
		found = append(found, finding.Warningf(finding.NoEffect, field+".storageUri",
			"has no effect: the variable %s in %s.env takes its place; keep one of the two", storageURI, field))
	}
	return found
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
