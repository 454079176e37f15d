// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/policy"
)

// newJobSet is the job as the object that is applied. It shares the job's
// memory.
func newJobSet(j policy.Job) *jobset.JobSet {
	return &jobset.JobSet{
		TypeMeta: metav1.TypeMeta{APIVersion: jobset.GroupVersion.String(), Kind: "JobSet"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        j.Name,
			Namespace:   j.Namespace,
			Labels:      j.Metadata.Labels,
			Annotations: j.Metadata.Annotations,
		},
		Spec: j.Spec,
	}
}
