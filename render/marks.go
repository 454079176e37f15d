// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"encoding/json"
	"slices"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/policy"
)

// maxSpecAnnotation is how long the TrainJob's spec may be on the JobSet:
// 48 KiB, well under what the API server takes for all annotations.
const maxSpecAnnotation = marks.MaxTrainJobSpec

// marked says on the objects where they come from and what the mirror shall do.
func marked(t *trainer.TrainJob, rt Runtime, opts Options) func(policy.Job) policy.Job {
	return func(j policy.Job) policy.Job {
		annotations := map[string]string{
			marks.Runtime:      rt.Kind + "/" + rt.Name,
			marks.SourceDigest: Digest(t),
		}
		if needsSSHSecret(j) && opts.SSHAuthSecret == "" {
			annotations[marks.SSHAuth] = marks.SSHAuthGenerate
		}
		if opts.Mirror == MirrorCreate {
			annotations[marks.TrainJobSpec] = compactSpec(t.Spec)
		}
		label := map[string]string{marks.TrainJob: t.Name}
		j.Metadata = overlaid(j.Metadata, label, annotations)
		j.Companions = slices.Clone(j.Companions)
		for i, c := range j.Companions {
			j.Companions[i] = labelled(c, label)
		}
		return j
	}
}

// labelled is a copy of the object with more labels.
func labelled(o runtime.Object, labels map[string]string) runtime.Object {
	o = o.DeepCopyObject()
	if object, ok := o.(metav1.Object); ok {
		object.SetLabels(policy.Overlay(object.GetLabels(), labels))
	}
	return o
}

// needsSSHSecret reports whether a pod of the job mounts MPI's key pair.
func needsSSHSecret(j policy.Job) bool {
	if j.Framework != policy.MPI {
		return false
	}
	return slices.ContainsFunc(j.Spec.ReplicatedJobs, func(r jobset.ReplicatedJob) bool {
		return slices.ContainsFunc(policy.Pod(r).Volumes, func(v corev1.Volume) bool {
			return v.Secret != nil && v.Secret.SecretName == j.SSHSecret()
		})
	})
}

// compactSpec leaves command and args out where they would make it too long:
// the JobSet's container holds them too.
func compactSpec(spec trainer.TrainJobSpec) string {
	document := encodeSpec(spec)
	if len(document) > maxSpecAnnotation && spec.Trainer != nil {
		spec.Trainer = spec.Trainer.DeepCopy()
		spec.Trainer.Command, spec.Trainer.Args = nil, nil
		document = encodeSpec(spec)
	}
	return document
}

func encodeSpec(spec trainer.TrainJobSpec) string {
	var document strings.Builder
	encoder := json.NewEncoder(&document)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(spec); err != nil { // the API's types always encode
		return "{}"
	}
	return strings.TrimSpace(document.String())
}
