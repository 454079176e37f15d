// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

// checkMounts: each mount and each device names a volume that is there, and has
// a path of its own.
func (p pod) checkMounts(s spot, c *corev1.Container) {
	paths := names{}
	for i, mount := range c.VolumeMounts {
		at := s.at("volumeMounts").index(i)
		if _, ok := p.volumes[mount.Name]; !ok || mount.Name == "" {
			at.at("name").refuse("there is no volume %q; add it to the pod's volumes", mount.Name)
		}
		at.at("mountPath").needs(mount.MountPath)
		paths.once(at.at("mountPath"), mount.MountPath)
		checkMount(at, c, mount)
	}
	p.checkDevices(s.at("volumeDevices"), c)
}

func checkMount(s spot, c *corev1.Container, mount corev1.VolumeMount) {
	relative(s.at("subPath"), mount.SubPath)
	relative(s.at("subPathExpr"), mount.SubPathExpr)
	if mount.SubPath != "" && mount.SubPathExpr != "" {
		s.at("subPathExpr").refuse("cannot stand beside subPath; keep one")
	}
	checkPropagation(s.at("mountPropagation"), c, mount.MountPropagation)
	checkRecursiveReadOnly(s.at("recursiveReadOnly"), mount)
}

func checkPropagation(s spot, c *corev1.Container, mode *corev1.MountPropagationMode) {
	if mode == nil {
		return
	}
	among(s, *mode, corev1.MountPropagationNone, corev1.MountPropagationHostToContainer, corev1.MountPropagationBidirectional)
	if *mode == corev1.MountPropagationBidirectional && !isPrivileged(c.SecurityContext) {
		s.refuse("Bidirectional is for privileged containers")
	}
}

func isPrivileged(c *corev1.SecurityContext) bool {
	return c != nil && ptr.Deref(c.Privileged, false)
}

func checkRecursiveReadOnly(s spot, mount corev1.VolumeMount) {
	mode := mount.RecursiveReadOnly
	if mode == nil {
		return
	}
	among(s, *mode, corev1.RecursiveReadOnlyDisabled, corev1.RecursiveReadOnlyIfPossible, corev1.RecursiveReadOnlyEnabled)
	if *mode == corev1.RecursiveReadOnlyIfPossible || *mode == corev1.RecursiveReadOnlyEnabled {
		if !mount.ReadOnly {
			s.refuse("is for mounts that are readOnly")
		}
		if ptr.Deref(mount.MountPropagation, corev1.MountPropagationNone) != corev1.MountPropagationNone {
			s.refuse("cannot stand beside mountPropagation %s", *mount.MountPropagation)
		}
	}
}

func (p pod) checkDevices(s spot, c *corev1.Container) {
	if len(c.VolumeDevices) > 0 && !p.hostUsers {
		s.refuse("cannot stand beside hostUsers false")
	}
	paths, devices := names{}, names{}
	for i, device := range c.VolumeDevices {
		at := s.index(i)
		source, ok := p.volumes[device.Name]
		switch {
		case !ok || device.Name == "":
			at.at("name").refuse("there is no volume %q; add it to the pod's volumes", device.Name)
		case source.PersistentVolumeClaim == nil && source.Ephemeral == nil:
			at.at("name").refuse("volume %q is no claim; only a persistentVolumeClaim or an ephemeral volume can be a device", device.Name)
		}
		devices.once(at.at("name"), device.Name)
		at.at("devicePath").needs(device.DevicePath)
		noBacksteps(at.at("devicePath"), device.DevicePath)
		paths.once(at.at("devicePath"), device.DevicePath)
		if slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.Name == device.Name }) {
			at.at("name").refuse("volume %q is mounted too; it is a device or a folder", device.Name)
		}
		if slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.MountPath == device.DevicePath }) {
			at.at("devicePath").refuse("%q is the path of a mount too", device.DevicePath)
		}
	}
}

// relative refuses a path that leaves its folder.
func relative(s spot, p string) {
	if path.IsAbs(p) {
		s.refuse("must be a relative path; it is %q", p)
	}
	noBacksteps(s, p)
}

// ownFile is relative for a file beside those that the kubelet keeps for
// itself, whose names begin with two dots.
func ownFile(s spot, p string) {
	relative(s, p)
	if strings.HasPrefix(p, "..") && !strings.HasPrefix(p, "../") && p != ".." {
		s.refuse("must not begin with '..'; it is %q", p)
	}
}

func noBacksteps(s spot, p string) {
	if slices.Contains(strings.Split(p, "/"), "..") {
		s.refuse("must not contain '..'; it is %q", p)
	}
}
