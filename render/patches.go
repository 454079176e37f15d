// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/render/policy"
)

// runtimeTemplate starts the job from the runtime's template. The TrainJob's own
// labels and annotations give way to the template's.
func runtimeTemplate(rt Runtime) func(policy.Job) policy.Job {
	return func(j policy.Job) policy.Job {
		j.Spec = rt.Spec.Template.Spec
		j.Metadata = overlaid(j.Metadata, rt.Spec.Template.Labels, rt.Spec.Template.Annotations)
		return j
	}
}

// patched merges one runtimePatch strategically, as the API server would: job
// by job, so that the jobs keep the runtime's order, whatever the patch's. A
// patch that can't be merged leaves the job as it is and a fault on it.
func patched(patch trainer.RuntimePatch, at string) func(policy.Job) policy.Job {
	return func(j policy.Job) policy.Job {
		if patch.TrainingRuntimeSpec == nil || patch.TrainingRuntimeSpec.Template == nil {
			return j
		}
		template := patch.TrainingRuntimeSpec.Template
		if template.Metadata != nil {
			j.Metadata = overlaid(j.Metadata, template.Metadata.Labels, template.Metadata.Annotations)
		}
		if template.Spec == nil {
			return j
		}
		j.Spec.ReplicatedJobs = slices.Clone(j.Spec.ReplicatedJobs)
		for i, job := range template.Spec.ReplicatedJobs {
			if fault := patchJob(j.Spec.ReplicatedJobs, job); fault != nil {
				j.Faults = append(slices.Clone(j.Faults), finding.Errorf(finding.PatchMerge,
					fmt.Sprintf("%s.spec.replicatedJobs[%d]", at, i), "cannot be merged into the runtime's template: %v", fault))
			}
		}
		return j
	}
}

// patchJob patches the job of that name; fit says where there is none.
func patchJob(jobs []jobset.ReplicatedJob, patch trainer.ReplicatedJobPatch) error {
	i := slices.IndexFunc(jobs, func(r jobset.ReplicatedJob) bool { return r.Name == patch.Name })
	if i < 0 || patch.Template == nil {
		return nil
	}
	template, err := merge(jobs[i].Template, *patch.Template)
	if err == nil {
		jobs[i].Template = template
	}
	return err
}

func overlaid(m policy.Metadata, labels, annotations map[string]string) policy.Metadata {
	return policy.Metadata{Labels: policy.Overlay(m.Labels, labels), Annotations: policy.Overlay(m.Annotations, annotations)}
}
