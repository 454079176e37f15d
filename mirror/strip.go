// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
)

// maxValueBytes is more than a meaningful value of a short annotation has.
const maxValueBytes = 80

// strip reduces an object to what the mirror reads of it before it enters the
// cache: 10,000 JobSets with their pod templates would take the better part of
// a gigabyte, and what a tenant writes must not be able to fill the memory.
// It changes the object in place, to the same result twice; other kinds pass.
func strip(object any) (any, error) {
	switch o := object.(type) {
	case *jobset.JobSet:
		stripJobSet(o)
	case *trainer.TrainJob:
		stripTrainJob(o)
	}
	return object, nil
}

// stripJobSet keeps the order of the spec's jobs in that of the counters.
func stripJobSet(js *jobset.JobSet) {
	stripMeta(&js.ObjectMeta)
	js.OwnerReferences = nil
	js.Status.ReplicatedJobsStatus = inSpecOrder(js)
	js.Spec = jobset.JobSetSpec{Suspend: js.Spec.Suspend}
}

func stripTrainJob(tj *trainer.TrainJob) {
	stripMeta(&tj.ObjectMeta)
	tj.Spec = trainer.TrainJobSpec{ManagedBy: tj.Spec.ManagedBy}
}

func stripMeta(m *metav1.ObjectMeta) {
	m.ManagedFields, m.Finalizers = nil, nil
	m.Labels = only(m.Labels, marks.TrainJob)
	m.Annotations = only(m.Annotations, marks.SSHAuth, marks.SoftTTLSeconds, marks.TrainJobSpec)
	for key, value := range m.Annotations {
		if key == marks.TrainJobSpec {
			value = specDigest(value)
		}
		m.Annotations[key] = value[:min(len(value), maxValueBytes)]
	}
}

func only(all map[string]string, keys ...string) map[string]string {
	kept := map[string]string{}
	for _, key := range keys {
		if value, ok := all[key]; ok {
			kept[key] = value
		}
	}
	return kept
}
