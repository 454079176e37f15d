// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Resolved is a copy of a pod in which variables that refer to its metadata
// have their values. For readers: the cluster resolves them itself.
func Resolved(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	for _, containers := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range containers {
			for k, e := range containers[i].Env {
				if e.ValueFrom == nil || e.ValueFrom.FieldRef == nil {
					continue
				}
				if value, ok := metadataValue(pod, e.ValueFrom.FieldRef.FieldPath); ok {
					containers[i].Env[k] = corev1.EnvVar{Name: e.Name, Value: value}
				}
			}
		}
	}
	return pod
}

// metadataValue is what the downward API gives for a field, if it is known
// before the pod runs.
func metadataValue(pod *corev1.Pod, field string) (string, bool) {
	kind, key, keyed := strings.Cut(field, "['")
	key = strings.TrimSuffix(key, "']")
	switch {
	case field == "metadata.namespace" && pod.Namespace != "":
		return pod.Namespace, true
	case keyed && kind == "metadata.labels":
		return pod.Labels[key], true
	case keyed && kind == "metadata.annotations":
		return pod.Annotations[key], true
	case field == "spec.serviceAccountName" && pod.Spec.ServiceAccountName != "":
		return pod.Spec.ServiceAccountName, true
	default:
		return "", false
	}
}
