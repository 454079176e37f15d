// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
)

// newTrainJob is the TrainJob that a JobSet stands for. Who manages it and who
// owns it is not the annotation's to say: the Trainer leaves it alone, Kueue
// sees the child of a job that it knows, and it goes when the JobSet goes.
func newTrainJob(js *jobset.JobSet, spec trainer.TrainJobSpec) *trainer.TrainJob {
	manager := marks.MultiKueue
	spec.ManagedBy = &manager
	return &trainer.TrainJob{
		ObjectMeta: metav1.ObjectMeta{
			Name:            js.Name,
			Namespace:       js.Namespace,
			Labels:          carriedLabels(js.Labels),
			Annotations:     map[string]string{marks.TrainJobSpec: specDigest(js.Annotations[marks.TrainJobSpec])},
			OwnerReferences: []metav1.OwnerReference{ownerReference(js)},
		},
		Spec: spec,
	}
}

// ownerReference makes the JobSet the controller of what is made for it. It
// does not block the JobSet's deletion: that would take a right on JobSets.
func ownerReference(js *jobset.JobSet) metav1.OwnerReference {
	isController, blocks := true, false
	return metav1.OwnerReference{
		APIVersion: jobset.SchemeGroupVersion.String(), Kind: "JobSet", Name: js.Name, UID: js.UID,
		Controller: &isController, BlockOwnerDeletion: &blocks,
	}
}

// madeHere says whether the mirror made this TrainJob, for this JobSet or for
// an earlier one of the name.
func madeHere(tj *trainer.TrainJob) bool {
	owner := metav1.GetControllerOfNoCopy(tj)
	_, marked := tj.Annotations[marks.TrainJobSpec]
	return marked && owner != nil && owner.Kind == "JobSet" && owner.Name == tj.Name &&
		strings.HasPrefix(owner.APIVersion, jobset.SchemeGroupVersion.Group+"/")
}

// isFor says whether a TrainJob made here is what this JobSet asks for. Its
// spec is not compared: after creation it is not the mirror's (Kueue writes it).
func isFor(tj *trainer.TrainJob, js *jobset.JobSet) bool {
	return metav1.IsControlledBy(tj, js) &&
		tj.Annotations[marks.TrainJobSpec] == specDigest(js.Annotations[marks.TrainJobSpec])
}

// carriedLabels leaves out labels that would queue the TrainJob a second time,
// or make an applier believe that it applied it and prune it.
func carriedLabels(labels map[string]string) map[string]string {
	carried := map[string]string{}
	for key, value := range labels {
		if !strings.HasPrefix(key, marks.KueuePrefix) && !tracks(key) {
			carried[key] = value
		}
	}
	return carried
}

// tracks says whether an applier finds what it applied by this label.
func tracks(key string) bool {
	domain, _, _ := strings.Cut(key, "/")
	switch key {
	case "app.kubernetes.io/instance", "app.kubernetes.io/managed-by", "applyset.kubernetes.io/part-of":
		return true
	}
	return domain == "argocd.argoproj.io" || strings.HasSuffix(domain, ".toolkit.fluxcd.io")
}
