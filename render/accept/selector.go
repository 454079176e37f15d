// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/utils/ptr"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/finding"
)

// unknowable stands for a label value that is known only once the Job is made.
const unknowable = "\x00"

// checkSelector: the Job API gives each pod labels by which it finds it again,
// and what the user wrote must not contradict them.
func checkSelector(s spot, j job) {
	spec := &j.Template.Spec
	manual := ptr.Deref(spec.ManualSelector, false)
	if !manual && spec.Selector == nil && len(spec.Template.Labels) == 0 {
		return
	}
	at := s.at("selector")
	generated := generatedLabels(j)
	if !manual {
		given := s.at("template", "metadata", "labels").under(finding.LabelValue)
		checkGeneratedLabels(given, spec.Template.Labels, generated)
	}
	errs := metav1validation.ValidateLabelSelector(spec.Selector, metav1validation.LabelSelectorValidationOptions{}, here)
	switch {
	case len(errs) > 0:
		at.refuseAll(errs)
	case manual:
		checkManualSelector(at, j)
	case spec.Selector != nil && !matches(spec.Selector, generated):
		at.refuse("does not match the labels that the Job API gives each pod; leave it out")
	}
}

func checkManualSelector(s spot, j job) {
	switch selector := j.Template.Spec.Selector; {
	case selector == nil:
		s.refuse("is missing; manualSelector is true: set it, or better leave manualSelector out")
	case !matches(selector, labels.Merge(j.Template.Spec.Template.Labels, jobSetLabels(j))):
		s.refuse("does not match the labels of the pod template; better leave it and manualSelector out")
	}
}

func checkGeneratedLabels(s spot, given map[string]string, generated labels.Set) {
	for _, key := range sorted(generated) {
		if value, ok := given[key]; ok && value != generated[key] {
			s.key(key).refuse("is %q, but the Job API sets this label itself; leave it out", value)
		}
	}
}

func matches(selector *metav1.LabelSelector, set labels.Set) bool {
	s, err := metav1.LabelSelectorAsSelector(selector)
	return err == nil && s.Matches(set)
}

// generatedLabels are those by which the Job API finds a Job's pods.
func generatedLabels(j job) labels.Set {
	name := unknowable
	if j.Replicas == 1 {
		name = fmt.Sprintf("%s-%s-0", j.set.Name, j.Name)
	}
	return labels.Set{
		batchv1.JobNameLabel:       name,
		"job-name":                 name,
		batchv1.ControllerUidLabel: unknowable,
		"controller-uid":           unknowable,
	}
}

// jobSetLabels are those of the labels that JobSet gives a pod that are the
// same for all pods of the replicated job.
func jobSetLabels(j job) labels.Set {
	return labels.Set{
		jobset.JobSetNameKey:        j.set.Name,
		jobset.ReplicatedJobNameKey: j.Name,
		jobset.GroupNameKey:         j.GroupName,
	}
}
