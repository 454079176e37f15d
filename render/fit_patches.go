// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"slices"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/render/policy"
)

// patches asks of each runtimePatch whether it lands where it aims.
func patches(p pair) []finding.Finding {
	var found []finding.Finding
	spec := p.rt.Spec.Template.Spec
	for i, patch := range p.t.Spec.RuntimePatches {
		at := fmt.Sprintf("spec.runtimePatches[%d]", i)
		for _, e := range validation.IsDomainPrefixedPath(field.NewPath("manager"), patch.Manager) {
			found = append(found, finding.Errorf(finding.PatchManager, at+".manager", "%s; it is %q", e.Detail, patch.Manager))
		}
		if patch.TrainingRuntimeSpec == nil || patch.TrainingRuntimeSpec.Template == nil || patch.TrainingRuntimeSpec.Template.Spec == nil {
			continue
		}
		at += ".trainingRuntimeSpec.template.spec"
		found = append(found, patchedJobs(spec, *patch.TrainingRuntimeSpec.Template.Spec, at)...)
		if i < len(p.t.Spec.RuntimePatches)-1 {
			spec = patched(patch, at)(policy.Job{Spec: spec}).Spec // what the next one patches
		}
	}
	return found
}

func patchedJobs(spec jobset.JobSetSpec, patch trainer.JobSetSpecPatch, at string) []finding.Finding {
	var found []finding.Finding
	for i, job := range patch.ReplicatedJobs {
		at := fmt.Sprintf("%s.replicatedJobs[%d]", at, i)
		r, ok := replicated(spec, job.Name)
		if !ok {
			found = append(found, finding.Errorf(finding.PatchTarget, at+".name",
				"the runtime has no job %q to patch; it has %s", job.Name, names(spec.ReplicatedJobs, func(r jobset.ReplicatedJob) string { return r.Name })))
			continue
		}
		if job.Template != nil && job.Template.Spec != nil && job.Template.Spec.Template != nil && job.Template.Spec.Template.Spec != nil {
			found = append(found, patchedPod(policy.Pod(r), *job.Template.Spec.Template.Spec, at+".template.spec.template.spec")...)
		}
	}
	return found
}

func patchedPod(pod corev1.PodSpec, patch trainer.PodSpecPatch, at string) []finding.Finding {
	found := slices.Concat(
		patchedContainers(pod.Containers, patch.Containers, at+".containers"),
		patchedContainers(pod.InitContainers, patch.InitContainers, at+".initContainers"))
	for i, c := range patch.Containers {
		if len(c.Env) > 0 && slices.Contains([]string{policy.Node, policy.StepDataset, policy.StepModel}, c.Name) {
			found = append(found, finding.Errorf(finding.PatchEnv, fmt.Sprintf("%s.containers[%d].env", at, i),
				"the variables of the container %s can't be patched; set them in spec.trainer.env or spec.initializer", c.Name))
		}
	}
	return append(found, dropped(pod, patch, at)...)
}

func patchedContainers(there []corev1.Container, patch []trainer.ContainerPatch, at string) []finding.Finding {
	var found []finding.Finding
	for i, c := range patch {
		if !has(there, c.Name) {
			found = append(found, finding.Errorf(finding.PatchTarget, fmt.Sprintf("%s[%d].name", at, i),
				"the runtime has no container %q to patch; it has %s", c.Name, names(there, func(c corev1.Container) string { return c.Name })))
		}
	}
	return found
}

// names lists the names of things for a person.
func names[T any](things []T, name func(T) string) string {
	if len(things) == 0 {
		return "none"
	}
	list := make([]string, len(things))
	for i, thing := range things {
		list[i] = name(thing)
	}
	return strings.Join(list, ", ")
}
