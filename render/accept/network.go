// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/utils/ptr"
)

// What a pod's resolv.conf may hold.
const (
	maxNameservers  = 3
	maxSearches     = 32
	maxSearchLength = 2048
)

// maxHostname is the longest host name that a kernel keeps.
const maxHostname = 64

func checkPodNetwork(s spot, j job) {
	spec := &j.Template.Spec.Template.Spec
	amongIfSet(s.at("dnsPolicy"), spec.DNSPolicy, corev1.DNSClusterFirst, corev1.DNSClusterFirstWithHostNet, corev1.DNSDefault, corev1.DNSNone)
	checkDNS(s.at("dnsConfig"), spec)
	checkHostnames(s, spec)
	// JobSet writes the subdomain itself unless DNS names are off.
	if spec.Subdomain != "" && !dnsIsSet(j.set) {
		s.at("subdomain").refuseIf(isLabel(spec.Subdomain), spec.Subdomain)
	}
	for i, alias := range spec.HostAliases {
		at := s.at("hostAliases").index(i)
		at.at("ip").refuseAll(validation.IsValidIPForLegacyField(here, alias.IP, true, nil))
		for k := range alias.Hostnames {
			refuseObjectName(at.at("hostnames").index(k), &alias.Hostnames[k])
		}
	}
}

func checkHostnames(s spot, spec *corev1.PodSpec) {
	if spec.Hostname != "" {
		s.at("hostname").refuseIf(isLabel(spec.Hostname), spec.Hostname)
	}
	name := spec.HostnameOverride
	if name == nil {
		return
	}
	at := s.at("hostnameOverride")
	refuseObjectName(at, name)
	if len(*name) > maxHostname {
		at.refuse("may have at most %d characters; it has %d", maxHostname, len(*name))
	}
	if ptr.Deref(spec.SetHostnameAsFQDN, false) {
		at.refuse("cannot stand beside setHostnameAsFQDN; keep one")
	}
	if spec.HostNetwork {
		at.refuse("cannot stand beside hostNetwork; keep one")
	}
}

func checkDNS(s spot, spec *corev1.PodSpec) {
	config := spec.DNSConfig
	if spec.DNSPolicy == corev1.DNSNone && (config == nil || len(config.Nameservers) == 0) {
		s.at("nameservers").refuse("is missing; dnsPolicy None needs a server")
		return
	}
	if config == nil {
		return
	}
	servers := s.at("nameservers")
	servers.atMost(len(config.Nameservers), maxNameservers)
	for i, server := range config.Nameservers {
		servers.index(i).refuseAll(validation.IsValidIPForLegacyField(here, server, true, nil))
	}
	checkSearches(s.at("searches"), config.Searches)
	for i, option := range config.Options {
		s.at("options").index(i).needsAll("name", option.Name)
	}
}

func checkSearches(s spot, searches []string) {
	s.atMost(len(searches), maxSearches)
	if n := len(strings.Join(searches, " ")); n > maxSearchLength {
		s.refuse("may have at most %d characters together; they have %d", maxSearchLength, n)
	}
	for i, search := range searches {
		if search != "." {
			s.index(i).refuseIf(validation.IsDNS1123SubdomainWithUnderscore(strings.TrimSuffix(search, ".")), search)
		}
	}
}
