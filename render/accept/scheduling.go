// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
)

// checkScheduling looks at all that says where and when a pod may run.
func checkScheduling(s spot, p pod) {
	spec := p.spec
	s.at("nodeSelector").refuseAll(metav1validation.ValidateLabels(oddLabels(spec.NodeSelector), here))
	for i, toleration := range spec.Tolerations {
		checkToleration(s.at("tolerations").index(i), toleration)
	}
	p.checkAffinity(s.at("affinity"), spec.Affinity)
	p.checkSpread(s.at("topologySpreadConstraints"), spec.TopologySpreadConstraints)
	checkGates(s, spec)
	if spec.NodeName != "" {
		refuseObjectName(s.at("nodeName"), &spec.NodeName)
	}
	if spec.PriorityClassName != "" {
		refuseObjectName(s.at("priorityClassName"), &spec.PriorityClassName)
	}
	refuseObjectName(s.at("runtimeClassName"), spec.RuntimeClassName)
	if v := spec.PreemptionPolicy; v != nil {
		among(s.at("preemptionPolicy"), *v, corev1.PreemptLowerPriority, corev1.PreemptNever)
	}
	if spec.OS != nil {
		among(s.at("os", "name"), spec.OS.Name, corev1.Linux, corev1.Windows)
	}
}

// checkGates: a pod that waits has no node yet.
func checkGates(s spot, spec *corev1.PodSpec) {
	seen := names{}
	for i, gate := range spec.SchedulingGates {
		at := s.at("schedulingGates").index(i).at("name")
		at.refuseIf(isKey(gate.Name), gate.Name)
		seen.once(at, gate.Name)
	}
	if spec.NodeName != "" && len(spec.SchedulingGates) > 0 {
		s.at("nodeName").refuse("cannot stand beside schedulingGates, which hold the pod back; keep one")
	}
}

// checkToleration looks at one toleration, or at one in an annotation.
func checkToleration(s spot, t corev1.Toleration) {
	if t.Key != "" {
		refuseLabelName(s.at("key"), t.Key)
	} else if t.Operator != corev1.TolerationOpExists {
		s.at("operator").refuse("must be Exists where no key is named; it is %q", t.Operator)
	}
	switch t.Operator {
	case corev1.TolerationOpEqual, "":
		s.at("value").refuseIf(isLabelValue(t.Value), t.Value)
	case corev1.TolerationOpExists:
		if t.Value != "" {
			s.at("value").refuse("must be empty beside operator Exists; it is %q", t.Value)
		}
	default:
		// Lt and Gt are behind a gate that is off.
		among(s.at("operator"), t.Operator, corev1.TolerationOpEqual, corev1.TolerationOpExists)
	}
	amongIfSet(s.at("effect"), t.Effect, corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute)
	if t.TolerationSeconds != nil && t.Effect != corev1.TaintEffectNoExecute {
		s.at("effect").refuse("must be NoExecute beside tolerationSeconds; it is %q", t.Effect)
	}
}

func refuseLabelName(s spot, name string) {
	s.refuseIf(isKey(name), name)
}

func refuseSelector(s spot, selector *metav1.LabelSelector) {
	s.refuseAll(metav1validation.ValidateLabelSelector(selector, metav1validation.LabelSelectorValidationOptions{}, here))
}

func (p pod) checkSpread(s spot, constraints []corev1.TopologySpreadConstraint) {
	seen := names{}
	for i, c := range constraints {
		at := s.index(i)
		if c.MaxSkew < 1 {
			at.at("maxSkew").refuse("must be 1 or more; it is %d", c.MaxSkew)
		}
		at.at("topologyKey").needs(c.TopologyKey)
		among(at.at("whenUnsatisfiable"), c.WhenUnsatisfiable, corev1.DoNotSchedule, corev1.ScheduleAnyway)
		seen.once(at, c.TopologyKey+", "+string(c.WhenUnsatisfiable))
		checkMinDomains(at.at("minDomains"), c)
		checkInclusion(at.at("nodeAffinityPolicy"), c.NodeAffinityPolicy)
		checkInclusion(at.at("nodeTaintsPolicy"), c.NodeTaintsPolicy)
		p.checkLabelKeys(at.at("matchLabelKeys"), c.MatchLabelKeys, c.LabelSelector)
		refuseSelector(at.at("labelSelector"), c.LabelSelector)
	}
}

func checkMinDomains(s spot, c corev1.TopologySpreadConstraint) {
	if c.MinDomains == nil {
		return
	}
	if *c.MinDomains < 1 {
		s.refuse("must be 1 or more; it is %d", *c.MinDomains)
	}
	if c.WhenUnsatisfiable != corev1.DoNotSchedule {
		s.refuse("is for whenUnsatisfiable DoNotSchedule; it is %q", c.WhenUnsatisfiable)
	}
}

func checkInclusion(s spot, policy *corev1.NodeInclusionPolicy) {
	if policy != nil {
		among(s, *policy, corev1.NodeInclusionPolicyHonor, corev1.NodeInclusionPolicyIgnore)
	}
}
