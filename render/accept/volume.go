// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

// source is one of the kinds of storage that a volume can be.
type source struct {
	name  string
	set   bool
	check func(spot)
}

// sources lists the kinds of storage; a volume is one of them.
func sources(v *corev1.VolumeSource) []source {
	return append([]source{
		{"emptyDir", v.EmptyDir != nil, func(s spot) { checkEmptyDir(s, v.EmptyDir) }},
		{"hostPath", v.HostPath != nil, func(s spot) { checkHostPath(s, v.HostPath) }},
		{"secret", v.Secret != nil, func(s spot) {
			s.needsAll("secretName", v.Secret.SecretName)
			checkFiles(s, v.Secret.DefaultMode, v.Secret.Items)
		}},
		{"configMap", v.ConfigMap != nil, func(s spot) {
			s.needsAll("name", v.ConfigMap.Name)
			checkFiles(s, v.ConfigMap.DefaultMode, v.ConfigMap.Items)
		}},
		{"downwardAPI", v.DownwardAPI != nil, func(s spot) { checkDownwardAPI(s, v.DownwardAPI) }},
		{"projected", v.Projected != nil, func(s spot) { checkProjected(s, v.Projected) }},
		{"persistentVolumeClaim", v.PersistentVolumeClaim != nil, func(s spot) {
			s.needsAll("claimName", v.PersistentVolumeClaim.ClaimName)
		}},
		{"ephemeral", v.Ephemeral != nil, func(s spot) { checkEphemeral(s, v.Ephemeral) }},
		{"csi", v.CSI != nil, func(s spot) { checkCSI(s, v.CSI) }},
		{"image", v.Image != nil, func(s spot) { checkImage(s, v.Image) }},
	}, vendorSources(v)...)
}

// sourcesOf counts the kinds of storage that are set.
func sourcesOf(v *corev1.VolumeSource) int {
	n := 0
	for _, kind := range sources(v) {
		if kind.set {
			n++
		}
	}
	return n
}

func checkVolumes(s spot, p pod) {
	seen := names{}
	for i := range p.spec.Volumes {
		volume := &p.spec.Volumes[i]
		at := s.index(i)
		at.at("name").needs(volume.Name)
		if volume.Name != "" {
			at.at("name").refuseIf(isLabel(volume.Name), volume.Name)
			seen.once(at.at("name"), volume.Name)
		}
		checkSource(at, volume)
	}
}

func checkSource(s spot, volume *corev1.Volume) {
	var set []source
	var kinds []string
	for _, kind := range sources(&volume.VolumeSource) {
		if kind.set {
			set = append(set, kind)
			kinds = append(kinds, kind.name)
		}
	}
	switch len(set) {
	case 0:
		s.warn("%q has no source, so it will be an empty folder; say emptyDir: {} if that is meant", volume.Name)
	case 1:
		set[0].check(s.at(set[0].name))
	default:
		s.refuse("%q is %s at once; keep one", volume.Name, list(kinds))
	}
}

func checkEmptyDir(s spot, v *corev1.EmptyDirVolumeSource) {
	if v.SizeLimit != nil && v.SizeLimit.Sign() < 0 {
		s.at("sizeLimit").refuse("must not be negative; it is %s", v.SizeLimit)
	}
}

func checkHostPath(s spot, v *corev1.HostPathVolumeSource) {
	s.needsAll("path", v.Path)
	noBacksteps(s.at("path"), v.Path)
	amongIfSet(s.at("type"), ptr.Deref(v.Type, corev1.HostPathUnset),
		corev1.HostPathDirectoryOrCreate, corev1.HostPathDirectory, corev1.HostPathFileOrCreate, corev1.HostPathFile,
		corev1.HostPathSocket, corev1.HostPathCharDev, corev1.HostPathBlockDev)
}

func checkCSI(s spot, v *corev1.CSIVolumeSource) {
	checkDriver(s.at("driver"), v.Driver)
	if ref := v.NodePublishSecretRef; ref != nil {
		s.at("nodePublishSecretRef", "name").refuseIf(isSubdomain(ref.Name), ref.Name)
	}
}

func checkImage(s spot, v *corev1.ImageVolumeSource) {
	s.needsAll("reference", v.Reference)
	amongIfSet(s.at("pullPolicy"), v.PullPolicy, corev1.PullAlways, corev1.PullIfNotPresent, corev1.PullNever)
}

// maxFileMode is 0777.
const maxFileMode = 0o777

// checkMode: file modes are octal, and YAML reads 644 as a decimal number.
func checkMode(s spot, mode *int32) {
	if mode != nil && (*mode < 0 || *mode > maxFileMode) {
		s.refuse("must be between 0 and 0777; it is %d: write it in octal, with a leading 0", *mode)
	}
}

func checkFiles(s spot, mode *int32, items []corev1.KeyToPath) {
	checkMode(s.at("defaultMode"), mode)
	for i, item := range items {
		at := s.at("items").index(i)
		at.needsAll("key", item.Key, "path", item.Path)
		ownFile(at.at("path"), item.Path)
		checkMode(at.at("mode"), item.Mode)
	}
}
