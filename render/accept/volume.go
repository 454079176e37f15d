// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

// source is one of the kinds of storage that a volume can be.
type source struct {
	name  string
	isSet func(*storage) bool
	check func(spot, *storage)
}

type storage = corev1.VolumeSource

// sources lists the kinds of storage; a volume is one of them.
var sources = slices.Concat(ownSources, vendorSources, plainSources)

// ownSources are those of Kubernetes itself.
var ownSources = []source{
	{"emptyDir", func(v *storage) bool { return v.EmptyDir != nil }, func(s spot, v *storage) { checkEmptyDir(s, v.EmptyDir) }},
	{"hostPath", func(v *storage) bool { return v.HostPath != nil }, func(s spot, v *storage) { checkHostPath(s, v.HostPath) }},
	{"secret", func(v *storage) bool { return v.Secret != nil }, func(s spot, v *storage) {
		s.needsAll("secretName", v.Secret.SecretName)
		checkFiles(s, v.Secret.DefaultMode, v.Secret.Items)
	}},
	{"configMap", func(v *storage) bool { return v.ConfigMap != nil }, func(s spot, v *storage) {
		s.needsAll("name", v.ConfigMap.Name)
		checkFiles(s, v.ConfigMap.DefaultMode, v.ConfigMap.Items)
	}},
	{"downwardAPI", func(v *storage) bool { return v.DownwardAPI != nil }, func(s spot, v *storage) { checkDownwardAPI(s, v.DownwardAPI) }},
	{"projected", func(v *storage) bool { return v.Projected != nil }, func(s spot, v *storage) { checkProjected(s, v.Projected) }},
	{"persistentVolumeClaim", func(v *storage) bool { return v.PersistentVolumeClaim != nil }, func(s spot, v *storage) {
		s.needsAll("claimName", v.PersistentVolumeClaim.ClaimName)
	}},
	{"ephemeral", func(v *storage) bool { return v.Ephemeral != nil }, func(s spot, v *storage) { checkEphemeral(s, v.Ephemeral) }},
	{"csi", func(v *storage) bool { return v.CSI != nil }, func(s spot, v *storage) { checkCSI(s, v.CSI) }},
	{"image", func(v *storage) bool { return v.Image != nil }, func(s spot, v *storage) { checkImage(s, v.Image) }},
}

// sourcesOf counts the kinds of storage that are set.
func sourcesOf(v *corev1.VolumeSource) int {
	n := 0
	for _, kind := range sources {
		if kind.isSet(v) {
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
	for _, kind := range sources {
		if kind.isSet(&volume.VolumeSource) {
			set = append(set, kind)
			kinds = append(kinds, kind.name)
		}
	}
	switch len(set) {
	case 0:
		s.warn("%q has no source, so it will be an empty folder; say emptyDir: {} if that is meant", volume.Name)
	case 1:
		set[0].check(s.at(set[0].name), &volume.VolumeSource)
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
