// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// containerResources are the resources without a domain that a container can
// have, beside huge pages.
var containerResources = []corev1.ResourceName{
	corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage,
}

// checkResources: what is asked for stays within what is allowed, and what
// cannot be shared is both.
func checkResources(s spot, r corev1.ResourceRequirements, allowed func(spot, corev1.ResourceName)) {
	for _, name := range sorted(r.Limits) {
		at := s.at("limits").key(string(name))
		allowed(at, name)
		checkQuantity(at, name, r.Limits[name])
	}
	for _, name := range sorted(r.Requests) {
		at := s.at("requests").key(string(name))
		allowed(at, name)
		checkQuantity(at, name, r.Requests[name])
		checkRequest(at, name, r)
	}
	if hasHugePages(r) && !hasComputing(r) {
		s.refuse("huge pages need cpu or memory beside them")
	}
}

func checkRequest(s spot, name corev1.ResourceName, r corev1.ResourceRequirements) {
	request := rounded(r.Requests[name])
	given, limited := r.Limits[name]
	limit := rounded(given)
	switch {
	case !limited && canOvercommit(name):
	case !limited:
		s.refuse("%s cannot be shared, so its limit must be the same; set limits to %s too", name, request.String())
	case !canOvercommit(name) && request.Cmp(limit) != 0:
		s.refuse("the request is %s and the limit %s: %s cannot be shared, so both must be the same", request.String(), limit.String(), name)
	case request.Cmp(limit) > 0:
		s.refuse("the request is %s and the limit %s: a request must not exceed its limit", request.String(), limit.String())
	}
}

// rounded is what the API keeps of a quantity: thousandths.
func rounded(q resource.Quantity) resource.Quantity {
	q = q.DeepCopy()
	q.RoundUp(resource.Milli)
	return q
}

func checkQuantity(s spot, name corev1.ResourceName, q resource.Quantity) {
	if q.Sign() < 0 {
		s.refuse("must not be negative; it is %s", q.String())
	}
	if isExtended(name) && q.MilliValue()%1000 != 0 {
		s.refuse("must be a whole number, since %s cannot be divided; it is %s", name, q.String())
	}
	if size, ok := strings.CutPrefix(string(name), corev1.ResourceHugePagesPrefix); ok && !divides(size, q) {
		s.refuse("must be a multiple of the page size; it is %s", q.String())
	}
}

func divides(pageSize string, q resource.Quantity) bool {
	size, err := resource.ParseQuantity(pageSize)
	return err == nil && size.Sign() > 0 && size.MilliValue()%1000 == 0 && q.Value()%size.Value() == 0
}

// containerResource refuses what a container cannot be given.
func containerResource(s spot, name corev1.ResourceName) {
	complaints := isKey(string(name))
	s.refuseIf(complaints, string(name))
	switch {
	case len(complaints) > 0:
	case !strings.Contains(string(name), "/"):
		if !slices.Contains(containerResources, name) && !isHugePages(name) {
			s.refuse("there is no resource %q; it is cpu, memory, ephemeral-storage, hugepages-<size> or has a domain, as in nvidia.com/gpu", name)
		}
	case !isNative(name) && !isExtended(name):
		s.refuse("%q is no name of an extended resource; it may not begin with \"requests.\"", name)
	}
}

// podResource refuses what a pod as a whole cannot be given.
func podResource(s spot, name corev1.ResourceName) {
	if name != corev1.ResourceCPU && name != corev1.ResourceMemory && !isHugePages(name) {
		s.refuse("a pod as a whole has cpu, memory and hugepages-<size>; set %q on a container", name)
	}
	s.refuseIf(isKey(string(name)), string(name))
}

func isHugePages(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// isNative reports whether Kubernetes itself knows the resource.
func isNative(name corev1.ResourceName) bool {
	return !strings.Contains(string(name), "/") || strings.Contains(string(name), corev1.ResourceDefaultNamespacePrefix)
}

// isExtended reports whether a device plugin knows the resource. A quota speaks
// of requests.<name>, so that must be a name too.
func isExtended(name corev1.ResourceName) bool {
	quota := corev1.DefaultResourceRequestsPrefix + string(name)
	return !isNative(name) && !strings.HasPrefix(string(name), corev1.DefaultResourceRequestsPrefix) &&
		len(isKey(quota)) == 0
}

func canOvercommit(name corev1.ResourceName) bool {
	return isNative(name) && !isHugePages(name)
}

func hasHugePages(r corev1.ResourceRequirements) bool { return hasResource(r, isHugePages) }

func hasComputing(r corev1.ResourceRequirements) bool {
	return hasResource(r, func(name corev1.ResourceName) bool {
		return name == corev1.ResourceCPU || name == corev1.ResourceMemory
	})
}

// hasResource reports whether a resource of that kind is asked for or limited.
func hasResource(r corev1.ResourceRequirements, is func(corev1.ResourceName) bool) bool {
	for _, list := range []corev1.ResourceList{r.Limits, r.Requests} {
		for name := range list {
			if is(name) {
				return true
			}
		}
	}
	return false
}

// checkResizing: how a running container takes new numbers.
func (p pod) checkResizing(s spot, c *corev1.Container) {
	seen := names{}
	for i, policy := range c.ResizePolicy {
		at := s.index(i)
		seen.once(at.at("resourceName"), string(policy.ResourceName))
		among(at.at("resourceName"), policy.ResourceName, corev1.ResourceCPU, corev1.ResourceMemory)
		among(at.at("restartPolicy"), policy.RestartPolicy, corev1.NotRequired, corev1.RestartContainer)
		if p.spec.RestartPolicy == corev1.RestartPolicyNever && policy.RestartPolicy == corev1.RestartContainer {
			at.at("restartPolicy").refuse("must be NotRequired, since the pod's restartPolicy is Never")
		}
	}
}

// checkClaimUses: a container uses the devices that its pod claims.
func checkClaimUses(s spot, uses []corev1.ResourceClaim, claims names) {
	requests := map[string][]string{}
	for i, use := range uses {
		at := s.index(i)
		if use.Name == "" {
			at.at("name").needs("")
			continue
		}
		if !claims[use.Name] {
			at.at("name").refuse("there is no resource claim %q; the pod claims %s", use.Name, cmp.Or(list(sorted(claims)), "none"))
		}
		if use.Request != "" {
			at.at("request").refuseIf(isLabel(use.Request), use.Request)
		}
		for _, earlier := range requests[use.Name] {
			if earlier == "" || use.Request == "" || earlier == use.Request {
				at.refuse("%q is used twice; keep one", use.Name)
				break
			}
		}
		requests[use.Name] = append(requests[use.Name], use.Request)
	}
}

func checkResourceClaims(s spot, claims []corev1.PodResourceClaim) {
	seen := names{}
	for i, claim := range claims {
		at := s.index(i)
		at.at("name").needs(claim.Name)
		if claim.Name != "" {
			at.at("name").refuseIf(isLabel(claim.Name), claim.Name)
			seen.once(at.at("name"), claim.Name)
		}
		if (claim.ResourceClaimName == nil) == (claim.ResourceClaimTemplateName == nil) {
			at.refuse("must have one of resourceClaimName and resourceClaimTemplateName")
		}
		refuseObjectName(at.at("resourceClaimName"), claim.ResourceClaimName)
		refuseObjectName(at.at("resourceClaimTemplateName"), claim.ResourceClaimTemplateName)
	}
}

// refuseObjectName refuses what can be no object's name.
func refuseObjectName(s spot, name *string) {
	if name != nil {
		s.refuseIf(isSubdomain(*name), *name)
	}
}
