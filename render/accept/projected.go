// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// The life of a token, in seconds.
const (
	shortestToken = 10 * 60
	longestToken  = 1 << 32
)

// fileFields are the fields of a pod that a file can hold.
var fileFields = []string{
	"metadata.name", "metadata.namespace", "metadata.labels", "metadata.annotations", "metadata.uid",
}

func checkDownwardAPI(s spot, v *corev1.DownwardAPIVolumeSource) {
	checkMode(s.at("defaultMode"), v.DefaultMode)
	for i, file := range v.Items {
		checkPodFile(s.at("items").index(i), file)
	}
}

// checkPodFile: a file tells one thing of the pod.
func checkPodFile(s spot, file corev1.DownwardAPIVolumeFile) {
	s.needsAll("path", file.Path)
	ownFile(s.at("path"), file.Path)
	checkMode(s.at("mode"), file.Mode)
	if (file.FieldRef == nil) == (file.ResourceFieldRef == nil) {
		s.refuse("must have one of fieldRef and resourceFieldRef")
		return
	}
	if file.FieldRef != nil {
		checkFieldRef(s.at("fieldRef"), file.FieldRef, fileFields)
		return
	}
	if file.ResourceFieldRef.ContainerName == "" {
		s.at("resourceFieldRef", "containerName").needs("")
		return
	}
	checkResourceRef(s.at("resourceFieldRef"), file.ResourceFieldRef)
}

// checkProjected: several sources fill one folder, each file once.
func checkProjected(s spot, v *corev1.ProjectedVolumeSource) {
	checkMode(s.at("defaultMode"), v.DefaultMode)
	paths := names{}
	for i := range v.Sources {
		at := s.at("sources").index(i)
		projection := &v.Sources[i]
		checkProjection(at, projection)
		for _, path := range projectedPaths(projection) {
			paths.once(at, path)
		}
	}
}

func checkProjection(s spot, v *corev1.VolumeProjection) {
	var set []string
	if v.Secret != nil {
		set = append(set, "secret")
		s.at("secret").needsAll("name", v.Secret.Name)
		checkFiles(s.at("secret"), nil, v.Secret.Items)
	}
	if v.ConfigMap != nil {
		set = append(set, "configMap")
		s.at("configMap").needsAll("name", v.ConfigMap.Name)
		checkFiles(s.at("configMap"), nil, v.ConfigMap.Items)
	}
	if v.DownwardAPI != nil {
		set = append(set, "downwardAPI")
		for i, file := range v.DownwardAPI.Items {
			checkPodFile(s.at("downwardAPI", "items").index(i), file)
		}
	}
	if v.ServiceAccountToken != nil {
		set = append(set, "serviceAccountToken")
		checkToken(s.at("serviceAccountToken"), v.ServiceAccountToken)
	}
	if len(set) > 1 {
		s.refuse("is %s at once; make each a source of its own", strings.Join(set, " and "))
	}
}

func checkToken(s spot, v *corev1.ServiceAccountTokenProjection) {
	if v.ExpirationSeconds != nil {
		s.at("expirationSeconds").within(*v.ExpirationSeconds, shortestToken, longestToken)
	}
	s.needsAll("path", v.Path)
	ownFile(s.at("path"), v.Path)
}

func projectedPaths(v *corev1.VolumeProjection) []string {
	var paths []string
	add := func(path string) {
		if path != "" {
			paths = append(paths, path)
		}
	}
	if v.Secret != nil {
		for _, item := range v.Secret.Items {
			add(item.Path)
		}
	}
	if v.ConfigMap != nil {
		for _, item := range v.ConfigMap.Items {
			add(item.Path)
		}
	}
	if v.DownwardAPI != nil {
		for _, file := range v.DownwardAPI.Items {
			add(file.Path)
		}
	}
	return paths
}
