// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/trainyard/trainyard/render/finding"
)

func checkPorts(s spot, ports []corev1.ContainerPort) {
	seen := names{}
	for i, port := range ports {
		at := s.index(i)
		if port.Name != "" {
			complaints := validation.IsValidPortName(port.Name)
			at.at("name").refuseIf(complaints, port.Name)
			if len(complaints) == 0 {
				seen.once(at.at("name"), port.Name)
			}
		}
		at.at("containerPort").within(int64(port.ContainerPort), 1, 65535)
		if port.HostPort != 0 {
			at.at("hostPort").within(int64(port.HostPort), 1, 65535)
		}
		amongIfSet(at.at("protocol"), port.Protocol, corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP)
	}
}

// checkHostPorts: containers that run at once cannot share a port of the node.
func checkHostPorts(s spot, spec *corev1.PodSpec) {
	s = s.under(finding.PodPort)
	shared := names{}
	for i, c := range spec.Containers {
		checkHostPortsOf(s.at("containers").index(i).at("ports"), spec.HostNetwork, c.Ports, shared)
	}
	for i, c := range spec.InitContainers {
		checkHostPortsOf(s.at("initContainers").index(i).at("ports"), spec.HostNetwork, c.Ports, names{})
	}
}

// checkHostPortsOf: on the node's own network a port of the container is the
// node's.
func checkHostPortsOf(s spot, hostNetwork bool, ports []corev1.ContainerPort, taken names) {
	for i, port := range ports {
		at := s.index(i).at("hostPort")
		onHost := port.HostPort
		if hostNetwork && onHost == 0 {
			onHost = port.ContainerPort
		}
		if onHost == 0 {
			continue
		}
		protocol := cmp.Or(port.Protocol, corev1.ProtocolTCP)
		taken.once(at, fmt.Sprintf("%s/%s/%d", protocol, port.HostIP, onHost))
	}
}

// checkHostNetworkPorts: on the node's own network a port cannot be another
// there.
func checkHostNetworkPorts(s spot, spec *corev1.PodSpec) {
	if !spec.HostNetwork {
		return
	}
	for i, c := range spec.Containers {
		for j, port := range c.Ports {
			if port.HostPort != 0 && port.HostPort != port.ContainerPort {
				s.at("containers").index(i).at("ports").index(j).at("hostPort").
					refuse("must equal containerPort, %d, under hostNetwork; it is %d", port.ContainerPort, port.HostPort)
			}
		}
	}
}
