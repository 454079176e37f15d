// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/policy"
)

// newJobSet is the job as the object that is applied.
func newJobSet(j policy.Job) *jobset.JobSet {
	return &jobset.JobSet{
		TypeMeta: metav1.TypeMeta{APIVersion: jobset.GroupVersion.String(), Kind: "JobSet"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        j.Name,
			Namespace:   j.Namespace,
			Labels:      j.Metadata.Labels,
			Annotations: j.Metadata.Annotations,
		},
		Spec: *j.Spec.DeepCopy(),
	}
}

// companions are the job's, each marked as the TrainJob's, with the applier's
// profile on it too.
func companions(j policy.Job, t *trainer.TrainJob) []runtime.Object {
	for _, c := range j.Companions {
		object, ok := c.(metav1.Object)
		if ok {
			object.SetLabels(overlay(object.GetLabels(), map[string]string{marks.TrainJob: t.Name}))
		}
	}
	return j.Companions
}
