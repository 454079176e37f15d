// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/trainyard/trainyard/render/finding"
)

// What the frameworks' policies share: how a training container is told of its
// peers, and that nobody else may tell it.

// onTrainer lays a container's layer on the training container of the trainer
// job. A runtime without one gets nothing.
func onTrainer(j Job, c ContainerLayer) Layer {
	r, ok := j.TrainerJob()
	if !ok {
		return Layer{}
	}
	if _, ok := Container(Pod(r), Node); !ok {
		return Layer{}
	}
	return Layer{Jobs: map[string]JobLayer{r.Name: {Containers: map[string]ContainerLayer{Node: c}}}}
}

func value[T string | int32 | int64](name string, v T) corev1.EnvVar {
	return corev1.EnvVar{Name: name, Value: fmt.Sprint(v)}
}

// podIndex is a variable that holds the pod's place in its Job, from 0.
func podIndex(name string) corev1.EnvVar {
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{
		FieldPath: fmt.Sprintf("metadata.annotations['%s']", batchv1.JobCompletionIndexAnnotation),
	}}}
}

// reserved finds the TrainJob's variables that the framework sets itself.
func reserved(j Job, names ...string) []finding.Finding {
	var found []finding.Finding
	for i, env := range j.Trainer.Env {
		if slices.Contains(names, env.Name) {
			found = append(found, finding.Errorf(finding.ReservedEnv, fmt.Sprintf("spec.trainer.env[%d].name", i),
				"%s is set by the %s policy; remove it", env.Name, j.Framework))
		}
	}
	return found
}

// oneGPUName is the remedy where nothing but the GPUs is counted.
const oneGPUName = "ask for one of them alone"

// ambiguousGPUs warns where a count of GPUs had to choose among names.
func ambiguousGPUs(j Job, remedy string) []finding.Finding {
	names := j.GPUNamesAmbiguous()
	if names == nil {
		return nil
	}
	var list []string
	for _, name := range names {
		list = append(list, string(name))
	}
	return []finding.Finding{finding.Warningf(finding.AmbiguousGPU, "spec.trainer.resourcesPerNode",
		"%s could each be the GPU; %d a node are counted: those that end in /gpu, else the first by name; "+
			"%s", strings.Join(list, ", "), j.GPUsPerNode(), remedy)}
}
