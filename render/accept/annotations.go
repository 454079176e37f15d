// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/trainyard/trainyard/render/finding"
)

// Annotations by which the Pod API was told things before it had fields for
// them. It still reads some, and compares others with the fields.
const (
	tolerationsAnnotation = "scheduler.alpha.kubernetes.io/tolerations"
	deletionCost          = "controller.kubernetes.io/pod-deletion-cost"
	seccompPod            = "seccomp.security.alpha.kubernetes.io/pod"
	seccompContainer      = "container.seccomp.security.alpha.kubernetes.io/"
	appArmorContainer     = "container.apparmor.security.beta.kubernetes.io/"
)

func checkPodAnnotations(s spot, p pod) {
	for _, key := range sorted(p.annotations) {
		value := p.annotations[key]
		at := s.key(key).under(finding.PodSecurity)
		switch {
		case key == corev1.MirrorPodAnnotationKey:
			checkMirror(at, p.spec)
		case key == tolerationsAnnotation && value != "":
			checkTolerationsAnnotation(at.under(finding.PodScheduling), value)
		case key == deletionCost:
			checkDeletionCost(at.under(finding.PodScheduling), value)
		case key == seccompPod, strings.HasPrefix(key, seccompContainer):
			checkSeccompAnnotation(at, value)
		case strings.HasPrefix(key, appArmorContainer):
			checkAppArmorAnnotation(at, p.spec, strings.TrimPrefix(key, appArmorContainer), value)
		}
	}
}

// checkProfileMarks: where an annotation and a field both name a container's
// profile, they must name the same.
func checkProfileMarks(s spot, p pod) {
	s = s.under(finding.PodSecurity)
	ofPod := ptr.Deref(p.spec.SecurityContext, corev1.PodSecurityContext{})
	if mark, ok := p.annotations[seccompPod]; ok {
		checkSeccompMark(s.at("securityContext", "seccompProfile"), ofPod.SeccompProfile, mark)
	}
	for at, c := range containers(p.spec, s) {
		own := ptr.Deref(c.SecurityContext, corev1.SecurityContext{})
		if mark, ok := p.annotations[seccompContainer+c.Name]; ok {
			checkSeccompMark(at.at("securityContext", "seccompProfile"), own.SeccompProfile, mark)
		}
		if mark, ok := p.annotations[appArmorContainer+c.Name]; ok {
			checkAppArmorMark(at.at("securityContext", "appArmorProfile"), cmp.Or(own.AppArmorProfile, ofPod.AppArmorProfile), mark)
		}
	}
}

func checkSeccompMark(s spot, profile *corev1.SeccompProfile, mark string) {
	if profile == nil {
		return
	}
	want := map[corev1.SeccompProfileType][]string{
		corev1.SeccompProfileTypeUnconfined:     {corev1.SeccompProfileNameUnconfined},
		corev1.SeccompProfileTypeRuntimeDefault: {corev1.SeccompProfileRuntimeDefault, corev1.DeprecatedSeccompProfileDockerDefault},
		corev1.SeccompProfileTypeLocalhost:      {corev1.SeccompLocalhostProfileNamePrefix + ptr.Deref(profile.LocalhostProfile, "\x00")},
	}[profile.Type]
	refuseMark(s, mark, want)
}

func checkAppArmorMark(s spot, profile *corev1.AppArmorProfile, mark string) {
	if profile == nil {
		return
	}
	want := map[corev1.AppArmorProfileType][]string{
		corev1.AppArmorProfileTypeUnconfined:     {corev1.DeprecatedAppArmorBetaProfileNameUnconfined},
		corev1.AppArmorProfileTypeRuntimeDefault: {corev1.DeprecatedAppArmorBetaProfileRuntimeDefault},
		corev1.AppArmorProfileTypeLocalhost:      {corev1.DeprecatedAppArmorBetaProfileNamePrefix + ptr.Deref(profile.LocalhostProfile, "\x00")},
	}[profile.Type]
	refuseMark(s, mark, want)
}

// refuseMark refuses an annotation that names another profile than the field;
// a type that is none is refused as such.
func refuseMark(s spot, mark string, want []string) {
	if want != nil && !slices.Contains(want, mark) {
		s.refuse("is another profile than the annotation %q names; take the annotation out", mark)
	}
}

// checkMirror: a mirror pod is a kubelet's own, which has a node.
func checkMirror(s spot, spec *corev1.PodSpec) {
	if spec.NodeName == "" {
		s.refuse("marks a kubelet's own pod, which this is not; leave it out")
	}
	if len(spec.ResourceClaims) > 0 {
		s.refuse("marks a kubelet's own pod, which can claim no resources; leave it out")
	}
}

func checkTolerationsAnnotation(s spot, value string) {
	var tolerations []corev1.Toleration
	if err := json.Unmarshal([]byte(value), &tolerations); err != nil {
		s.refuse("is no list of tolerations (%v); use spec.tolerations", err)
		return
	}
	for i, toleration := range tolerations {
		checkToleration(s.index(i), toleration)
	}
}

// checkDeletionCost: the number has no plus sign and no leading zero.
func checkDeletionCost(s spot, value string) {
	_, err := strconv.ParseInt(value, 10, 32)
	if err != nil || value[0] == '+' || (value[0] == '0' && value != "0") {
		s.refuse("must be a whole number of 32 bits; it is %q", value)
	}
}

func checkSeccompAnnotation(s spot, profile string) {
	switch path, isLocal := strings.CutPrefix(profile, corev1.SeccompLocalhostProfileNamePrefix); {
	case isLocal:
		relative(s, path)
	default:
		among(s, profile, corev1.SeccompProfileRuntimeDefault, corev1.DeprecatedSeccompProfileDockerDefault, corev1.SeccompProfileNameUnconfined)
	}
}

func checkAppArmorAnnotation(s spot, spec *corev1.PodSpec, container, profile string) {
	if !hasContainer(spec, container) {
		s.refuse("there is no container %q", container)
	}
	if !strings.HasPrefix(profile, corev1.DeprecatedAppArmorBetaProfileNamePrefix) {
		amongIfSet(s, profile, corev1.DeprecatedAppArmorBetaProfileRuntimeDefault, corev1.DeprecatedAppArmorBetaProfileNameUnconfined)
	}
}
