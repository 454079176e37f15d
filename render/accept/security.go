// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/node/util/sysctl"
	"k8s.io/utils/ptr"

	"github.com/trainyard/trainyard/internal/lazyregexp"
)

// maxProfilePath is the longest path of a profile on the node.
const maxProfilePath = 4095

// maxSysctlName is the longest name of a kernel parameter.
const maxSysctlName = 253

var sysctlName = lazyregexp.New(`^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`)

// checkPodSecurity looks at the pod's security settings and at what it shares
// with its node.
func checkPodSecurity(s spot, p pod) {
	checkHostUsers(s, p)
	if p.spec.HostPID && ptr.Deref(p.spec.ShareProcessNamespace, false) {
		s.at("shareProcessNamespace").refuse("cannot stand beside hostPID; keep one")
	}
	c := p.spec.SecurityContext
	if c == nil {
		return
	}
	at := s.at("securityContext")
	checkID(at.at("fsGroup"), c.FSGroup)
	checkID(at.at("runAsUser"), c.RunAsUser)
	checkID(at.at("runAsGroup"), c.RunAsGroup)
	for i := range c.SupplementalGroups {
		checkID(at.at("supplementalGroups").index(i), &c.SupplementalGroups[i])
	}
	checkSysctls(at.at("sysctls"), p.spec)
	checkSeccomp(at.at("seccompProfile"), c.SeccompProfile)
	checkAppArmor(at.at("appArmorProfile"), c.AppArmorProfile)
	if v := c.FSGroupChangePolicy; v != nil {
		among(at.at("fsGroupChangePolicy"), *v, corev1.FSGroupChangeAlways, corev1.FSGroupChangeOnRootMismatch)
	}
	if v := c.SupplementalGroupsPolicy; v != nil {
		among(at.at("supplementalGroupsPolicy"), *v, corev1.SupplementalGroupsPolicyMerge, corev1.SupplementalGroupsPolicyStrict)
	}
	if v := c.SELinuxChangePolicy; v != nil {
		// MountOption is behind a gate that is off.
		among(at.at("seLinuxChangePolicy"), *v, corev1.SELinuxChangePolicyRecursive)
	}
}

// checkHostUsers: a pod with users of its own cannot share the node's
// namespaces.
func checkHostUsers(s spot, p pod) {
	if p.hostUsers {
		return
	}
	for _, shared := range []struct {
		name string
		set  bool
	}{
		{"hostNetwork", p.spec.HostNetwork},
		{"hostPID", p.spec.HostPID},
		{"hostIPC", p.spec.HostIPC},
	} {
		if shared.set {
			s.at(shared.name).refuse("cannot stand beside hostUsers false; keep one")
		}
	}
}

// checkID: users and groups are numbers below 2^31.
func checkID(s spot, id *int64) {
	if id != nil {
		s.within(*id, 0, 1<<31-1)
	}
}

func checkSysctls(s spot, spec *corev1.PodSpec) {
	seen := names{}
	for i, parameter := range spec.SecurityContext.Sysctls {
		at := s.index(i).at("name")
		if len(parameter.Name) > maxSysctlName || !sysctlName().MatchString(parameter.Name) {
			at.refuse("%q is no kernel parameter, such as net.core.somaxconn", parameter.Name)
		}
		seen.once(at, parameter.Name)
		switch space, _, _ := sysctl.GetNamespace(parameter.Name); {
		case space == sysctl.NetNamespace && spec.HostNetwork:
			at.refuse("%s is the node's under hostNetwork; leave it out", parameter.Name)
		case space == sysctl.IPCNamespace && spec.HostIPC:
			at.refuse("%s is the node's under hostIPC; leave it out", parameter.Name)
		}
	}
}

func checkSeccomp(s spot, profile *corev1.SeccompProfile) {
	if profile == nil {
		return
	}
	among(s.at("type"), profile.Type, corev1.SeccompProfileTypeRuntimeDefault, corev1.SeccompProfileTypeLocalhost, corev1.SeccompProfileTypeUnconfined)
	at := s.at("localhostProfile")
	switch path := profile.LocalhostProfile; {
	case profile.Type != corev1.SeccompProfileTypeLocalhost:
		if path != nil {
			at.refuse("is for type Localhost; the type is %q", profile.Type)
		}
	case path == nil:
		at.refuse("is missing beside type Localhost")
	default:
		relative(at, *path)
	}
}

func checkAppArmor(s spot, profile *corev1.AppArmorProfile) {
	if profile == nil {
		return
	}
	among(s.at("type"), profile.Type, corev1.AppArmorProfileTypeRuntimeDefault, corev1.AppArmorProfileTypeLocalhost, corev1.AppArmorProfileTypeUnconfined)
	at := s.at("localhostProfile")
	known := profile.Type == corev1.AppArmorProfileTypeRuntimeDefault || profile.Type == corev1.AppArmorProfileTypeUnconfined
	switch path := profile.LocalhostProfile; {
	case known && path != nil:
		at.refuse("is for type Localhost; the type is %q", profile.Type)
	case profile.Type != corev1.AppArmorProfileTypeLocalhost:
	case path == nil || *path == "":
		at.refuse("is missing beside type Localhost")
	case *path != strings.TrimSpace(*path):
		at.refuse("%q has spaces around it; take them out", *path)
	case len(*path) > maxProfilePath:
		at.refuse("may have at most %d characters; it has %d", maxProfilePath, len(*path))
	}
}

// checkContainerSecurity looks at the security settings of one container.
func checkContainerSecurity(s spot, c *corev1.SecurityContext, hostUsers bool) {
	if c == nil {
		return
	}
	checkID(s.at("runAsUser"), c.RunAsUser)
	checkID(s.at("runAsGroup"), c.RunAsGroup)
	checkSeccomp(s.at("seccompProfile"), c.SeccompProfile)
	checkAppArmor(s.at("appArmorProfile"), c.AppArmorProfile)
	if v := c.ProcMount; v != nil {
		among(s.at("procMount"), *v, corev1.DefaultProcMount, corev1.UnmaskedProcMount)
		if *v == corev1.UnmaskedProcMount && hostUsers {
			s.at("procMount").refuse("Unmasked needs hostUsers false on the pod")
		}
	}
	checkEscalation(s.at("allowPrivilegeEscalation"), c)
}

// checkEscalation: what is privileged cannot be kept from privileges.
func checkEscalation(s spot, c *corev1.SecurityContext) {
	if ptr.Deref(c.AllowPrivilegeEscalation, true) {
		return
	}
	if isPrivileged(c) {
		s.refuse("cannot be false beside privileged true")
	}
	if c.Capabilities == nil {
		return
	}
	for _, capability := range c.Capabilities.Add {
		if capability == "CAP_SYS_ADMIN" {
			s.refuse("cannot be false beside the capability CAP_SYS_ADMIN")
		}
	}
}
