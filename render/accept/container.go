// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/trainyard/trainyard/render/finding"
)

const maxRestartRules = 20

// checkContainers looks at every container, and at what must differ between
// them.
func (p pod) checkContainers(s spot) {
	if len(p.spec.Containers) == 0 {
		s.at("containers").under(finding.PodContainer).refuse("is empty; a pod needs a container")
	}
	for at, c := range containers(p.spec, s) {
		p.checkContainer(at.opened(), c)
	}
	checkContainerNames(s.under(finding.PodContainer), p.spec)
	checkHostPorts(s, p.spec)
	checkHostNetworkPorts(s.under(finding.PodPort), p.spec)
	for i := range p.spec.InitContainers {
		checkInitContainer(s.at("initContainers").index(i), &p.spec.InitContainers[i])
	}
}

// checkContainerNames: no two containers of a pod share a name, whenever they
// run.
func checkContainerNames(s spot, spec *corev1.PodSpec) {
	seen := names{}
	for i, c := range spec.Containers {
		seen.once(s.at("containers").index(i).at("name"), c.Name)
	}
	for i, c := range spec.InitContainers {
		seen.once(s.at("initContainers").index(i).at("name"), c.Name)
	}
}

func (p pod) checkContainer(s spot, c *corev1.Container) {
	checkContainerItself(s.under(finding.PodContainer), c)
	checkPorts(s.at("ports").under(finding.PodPort), c.Ports)
	p.checkEnv(s.under(finding.PodEnv), c)
	p.checkMounts(s.under(finding.PodMount), c)
	checkResources(s.at("resources").under(finding.PodResources), c.Resources, containerResource)
	checkClaimUses(s.at("resources", "claims").under(finding.PodResources), c.Resources.Claims, p.claims)
	p.checkResizing(s.at("resizePolicy").under(finding.PodResources), c)
	p.checkProbes(s.under(finding.PodProbe), c)
	checkContainerSecurity(s.at("securityContext").under(finding.PodSecurity), c.SecurityContext, p.hostUsers)
	checkContainerRestart(s.under(finding.PodRestartPolicy), c)
}

func checkContainerItself(s spot, c *corev1.Container) {
	name := s.at("name")
	name.needs(c.Name)
	if c.Name != "" {
		name.refuseIf(isLabel(c.Name), c.Name)
	}
	switch image := s.at("image"); {
	case c.Image == "":
		image.refuse("is missing; the container has nothing to run")
	case c.Image != strings.TrimSpace(c.Image):
		image.refuse("%q has spaces around it; take them out", c.Image)
	}
	amongIfSet(s.at("imagePullPolicy"), c.ImagePullPolicy, corev1.PullAlways, corev1.PullIfNotPresent, corev1.PullNever)
	amongIfSet(s.at("terminationMessagePolicy"), c.TerminationMessagePolicy,
		corev1.TerminationMessageReadFile, corev1.TerminationMessageFallbackToLogsOnError)
}

// isSidecar reports whether an init container runs beside the others.
func isSidecar(c *corev1.Container) bool {
	return ptr.Deref(c.RestartPolicy, "") == corev1.ContainerRestartPolicyAlways
}

// checkInitContainer: what ends before the others start cannot be probed.
func checkInitContainer(s spot, c *corev1.Container) {
	if isSidecar(c) {
		return
	}
	s = s.under(finding.PodProbe)
	for _, field := range []struct {
		name string
		set  bool
	}{
		{"lifecycle", hasLifecycle(c)},
		{"livenessProbe", c.LivenessProbe != nil},
		{"readinessProbe", c.ReadinessProbe != nil},
		{"startupProbe", c.StartupProbe != nil},
	} {
		if field.set {
			s.at(field.name).refuse("is for containers that stay; leave it out, or give the init container restartPolicy Always")
		}
	}
	for i, policy := range c.ResizePolicy {
		if policy.RestartPolicy == corev1.RestartContainer {
			s.at("resizePolicy").index(i).at("restartPolicy").under(finding.PodResources).
				refuse("an init container that ends cannot be restarted; use NotRequired")
		}
	}
}

// hasLifecycle reports whether the API keeps a lifecycle. A stopSignal is
// behind a gate that is off, and goes with what held nothing else.
func hasLifecycle(c *corev1.Container) bool {
	hooks := c.Lifecycle
	return hooks != nil && (hooks.StopSignal == nil || hooks.PostStart != nil || hooks.PreStop != nil)
}

func checkContainerRestart(s spot, c *corev1.Container) {
	rules := s.at("restartPolicyRules")
	switch {
	case c.RestartPolicy != nil:
		among(s.at("restartPolicy"), *c.RestartPolicy, corev1.ContainerRestartPolicyAlways,
			corev1.ContainerRestartPolicyOnFailure, corev1.ContainerRestartPolicyNever)
	case len(c.RestartPolicyRules) > 0:
		rules.refuse("need a restartPolicy beside them")
		return
	}
	rules.atMost(len(c.RestartPolicyRules), maxRestartRules)
	for i, rule := range c.RestartPolicyRules {
		checkRestartRule(rules.index(i), rule)
	}
}

func checkRestartRule(s spot, rule corev1.ContainerRestartRule) {
	among(s.at("action"), rule.Action, corev1.ContainerRestartRuleActionRestart, corev1.ContainerRestartRuleActionRestartAllContainers)
	if rule.ExitCodes == nil {
		s.at("exitCodes").refuse("is missing; say on which exit codes")
		return
	}
	at := s.at("exitCodes")
	among(at.at("operator"), rule.ExitCodes.Operator, corev1.ContainerRestartRuleOnExitCodesOpIn, corev1.ContainerRestartRuleOnExitCodesOpNotIn)
	at.at("values").atMost(len(rule.ExitCodes.Values), maxExitCodes)
}
