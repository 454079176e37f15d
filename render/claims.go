// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/policy"
)

// claims are the volume claims that all pods of the JobSet share.
func claims(js *jobset.JobSet) []runtime.Object {
	var made []runtime.Object
	for _, p := range js.Spec.VolumeClaimPolicies {
		for _, template := range p.Templates {
			made = append(made, &corev1.PersistentVolumeClaim{
				TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"},
				ObjectMeta: metav1.ObjectMeta{
					Name: template.Name + "-" + js.Name, Namespace: js.Namespace, Annotations: template.Annotations,
					Labels: policy.Overlay(template.Labels, map[string]string{jobset.JobSetNameKey: js.Name}),
				},
				Spec: template.Spec,
			})
		}
	}
	return made
}

// claimVolumes are the volumes for the claims that a container of the pod
// mounts.
func claimVolumes(js *jobset.JobSet, pod corev1.PodSpec) []corev1.Volume {
	var volumes []corev1.Volume
	for _, p := range js.Spec.VolumeClaimPolicies {
		for _, template := range p.Templates {
			if !mounted(pod, template.Name) {
				continue
			}
			volumes = append(volumes, corev1.Volume{Name: template.Name, VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: template.Name + "-" + js.Name},
			}})
		}
	}
	return volumes
}

func mounted(pod corev1.PodSpec, volume string) bool {
	return slices.ContainsFunc(slices.Concat(pod.Containers, pod.InitContainers), func(c corev1.Container) bool {
		return slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.Name == volume })
	})
}
