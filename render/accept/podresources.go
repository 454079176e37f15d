// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"

	"github.com/trainyard/trainyard/render/finding"
)

// checkPodResources: what the pod as a whole has must hold what its containers
// ask for together.
func checkPodResources(s spot, spec *corev1.PodSpec) {
	s = s.under(finding.PodResources)
	checkResources(s.at("overhead"), corev1.ResourceRequirements{Limits: spec.Overhead}, containerResource)
	if spec.Resources == nil {
		return
	}
	at := s.at("resources")
	checkResources(at, *spec.Resources, podResource)
	if len(spec.Resources.Claims) > 0 {
		at.at("claims").refuse("a pod as a whole claims nothing; claim it for a container")
	}
	checkSums(at, spec)
	checkShares(s, spec)
}

// checkSums holds what the containers ask for together, and the huge pages that
// they may take, against what the pod has.
func checkSums(s spot, spec *corev1.PodSpec) {
	asking := &corev1.Pod{Spec: *withRequests(spec)}
	asked := resource.AggregateContainerRequests(asking, resource.PodResourcesOptions{})
	for _, name := range sorted(asked) {
		sum := asked[name]
		if request, ok := spec.Resources.Requests[name]; ok {
			if sum.Cmp(request) > 0 {
				s.at("requests").key(string(name)).refuse("must hold what the containers ask for together, %s; it is %s", sum.String(), request.String())
			}
			continue
		}
		// The pod's request becomes the sum, and that must stay within its limit.
		if limit, ok := spec.Resources.Limits[name]; ok && canOvercommit(name) && sum.Cmp(limit) > 0 {
			s.at("limits").key(string(name)).refuse("must hold what the containers ask for together, %s; it is %s", sum.String(), limit.String())
		}
	}
	taken := resource.AggregateContainerLimits(asking, resource.PodResourcesOptions{})
	for _, name := range sorted(taken) {
		sum := taken[name]
		if limit, ok := spec.Resources.Limits[name]; ok && isHugePages(name) && sum.Cmp(limit) > 0 {
			s.at("limits").key(string(name)).refuse("must hold what the containers may take together, %s; it is %s", sum.String(), limit.String())
		}
	}
}

// checkShares: no container may take more than the whole pod.
func checkShares(s spot, spec *corev1.PodSpec) {
	for i, c := range spec.Containers {
		for _, name := range sorted(c.Resources.Limits) {
			share := c.Resources.Limits[name]
			if limit, ok := spec.Resources.Limits[name]; ok && share.Cmp(limit) > 0 {
				s.at("containers").index(i).at("resources", "limits").key(string(name)).
					refuse("must not exceed the pod's limit, %s; it is %s", limit.String(), share.String())
			}
		}
	}
}

// withRequests gives each container that has a limit without a request the
// limit as its request, as the Pod API does.
func withRequests(spec *corev1.PodSpec) *corev1.PodSpec {
	spec = spec.DeepCopy()
	for _, c := range containers(spec, spot{}) {
		for name, limit := range c.Resources.Limits {
			if _, ok := c.Resources.Requests[name]; !ok {
				if c.Resources.Requests == nil {
					c.Resources.Requests = corev1.ResourceList{}
				}
				c.Resources.Requests[name] = limit
			}
		}
	}
	return spec
}
