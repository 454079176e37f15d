// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// heaviest is the most that a preference can weigh.
const heaviest = 100

func (p pod) checkAffinity(s spot, affinity *corev1.Affinity) {
	if affinity == nil {
		return
	}
	if nodes := affinity.NodeAffinity; nodes != nil {
		checkNodeAffinity(s.at("nodeAffinity"), nodes)
	}
	if pods := affinity.PodAffinity; pods != nil {
		p.checkPodTerms(s.at("podAffinity"), pods.RequiredDuringSchedulingIgnoredDuringExecution,
			pods.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if pods := affinity.PodAntiAffinity; pods != nil {
		p.checkPodTerms(s.at("podAntiAffinity"), pods.RequiredDuringSchedulingIgnoredDuringExecution,
			pods.PreferredDuringSchedulingIgnoredDuringExecution)
	}
}

func checkNodeAffinity(s spot, nodes *corev1.NodeAffinity) {
	if required := nodes.RequiredDuringSchedulingIgnoredDuringExecution; required != nil {
		terms := s.at("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
		if len(required.NodeSelectorTerms) == 0 {
			terms.refuse("is empty, so no node would do; give a term")
		}
		for i, term := range required.NodeSelectorTerms {
			checkNodeTerm(terms.index(i), term, true)
		}
	}
	for i, preferred := range nodes.PreferredDuringSchedulingIgnoredDuringExecution {
		at := s.at("preferredDuringSchedulingIgnoredDuringExecution").index(i)
		at.at("weight").within(int64(preferred.Weight), 1, heaviest)
		// The API lets a preference name a value that no label can have.
		checkNodeTerm(at.at("preference"), preferred.Preference, false)
	}
}

func checkNodeTerm(s spot, term corev1.NodeSelectorTerm, strict bool) {
	for i, r := range term.MatchExpressions {
		at := s.at("matchExpressions").index(i)
		refuseLabelName(at.at("key"), r.Key)
		checkNodeValues(at, r)
		for j, value := range r.Values {
			if strict {
				at.at("values").index(j).refuseIf(isLabelValue(value), value)
			}
		}
	}
	for i, r := range term.MatchFields {
		checkNodeField(s.at("matchFields").index(i), r)
	}
}

// checkNodeValues: an operator takes as many values as it has use for.
func checkNodeValues(s spot, r corev1.NodeSelectorRequirement) {
	values := s.at("values")
	switch r.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if len(r.Values) == 0 {
			values.refuse("is empty; %s needs at least one", r.Operator)
		}
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		if len(r.Values) > 0 {
			values.refuse("must be empty beside %s", r.Operator)
		}
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		if len(r.Values) != 1 {
			values.refuse("must hold one number beside %s; it holds %d", r.Operator, len(r.Values))
		}
	default:
		among(s.at("operator"), r.Operator, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn,
			corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist, corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt)
	}
}

// checkNodeField: the one field of a node that can be asked for is its name.
func checkNodeField(s spot, r corev1.NodeSelectorRequirement) {
	among(s.at("operator"), r.Operator, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn)
	if len(r.Values) != 1 {
		s.at("values").refuse("must hold one name; it holds %d", len(r.Values))
	}
	if r.Key != metav1.ObjectNameField {
		s.at("key").refuse("must be %s; it is %q", metav1.ObjectNameField, r.Key)
		return
	}
	for i := range r.Values {
		refuseObjectName(s.at("values").index(i), &r.Values[i])
	}
}

func (p pod) checkPodTerms(s spot, required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) {
	for i, term := range required {
		p.checkPodTerm(s.at("requiredDuringSchedulingIgnoredDuringExecution").index(i), term)
	}
	for i, term := range preferred {
		at := s.at("preferredDuringSchedulingIgnoredDuringExecution").index(i)
		at.at("weight").within(int64(term.Weight), 1, heaviest)
		p.checkPodTerm(at.at("podAffinityTerm"), term.PodAffinityTerm)
	}
}

func (p pod) checkPodTerm(s spot, term corev1.PodAffinityTerm) {
	refuseSelector(s.at("labelSelector"), term.LabelSelector)
	refuseSelector(s.at("namespaceSelector"), term.NamespaceSelector)
	for i, name := range term.Namespaces {
		s.at("namespaces").index(i).refuseIf(apivalidation.ValidateNamespaceName(name, false), name)
	}
	refuseLabelName(s.at("topologyKey"), term.TopologyKey)
	p.checkLabelKeys(s.at("matchLabelKeys"), term.MatchLabelKeys, term.LabelSelector)
	p.checkLabelKeys(s.at("mismatchLabelKeys"), term.MismatchLabelKeys, term.LabelSelector)
	for i, key := range term.MatchLabelKeys {
		if slices.Contains(term.MismatchLabelKeys, key) {
			s.at("matchLabelKeys").index(i).refuse("%q is in mismatchLabelKeys too; keep one", key)
		}
	}
}

// checkLabelKeys: the values of these labels of the pod join the selector, which
// must not name the labels itself.
func (p pod) checkLabelKeys(s spot, keys []string, selector *metav1.LabelSelector) {
	if len(keys) == 0 {
		return
	}
	if selector == nil {
		s.refuse("needs a labelSelector beside it")
		return
	}
	for i, key := range keys {
		refuseLabelName(s.index(i), key)
		_, inLabels := selector.MatchLabels[key]
		inExpressions := slices.ContainsFunc(selector.MatchExpressions, func(r metav1.LabelSelectorRequirement) bool { return r.Key == key })
		if _, has := p.labels[key]; has && (inLabels || inExpressions) {
			s.index(i).refuse("%q is in the labelSelector too; keep one", key)
		}
	}
}
