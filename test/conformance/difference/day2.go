// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package difference

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// The changes that an applier needs which applies the same again for ever.

const queueName = "kueue.x-k8s.io/queue-name"

func queued(m *Made) bool { return m.JobSet.Labels[queueName] != "" }

// withoutSecrets: git holds no keys.
func withoutSecrets(m *Made) bool {
	before := len(m.Beside)
	m.Beside = slices.DeleteFunc(m.Beside, func(o object) bool { return o["kind"] == "Secret" })
	return len(m.Beside) < before
}

// withoutOwners: offline a TrainJob has no UID.
func withoutOwners(m *Made) bool {
	m.JobSet.OwnerReferences = nil
	for _, o := range m.Beside {
		delete(o["metadata"].(object), "ownerReferences")
	}
	return true
}

// trainJobMetadata: the JobSet is what is applied, so it carries what others
// read.
func trainJobMetadata(m *Made) bool {
	changed := false
	carry := func(to *map[string]string, key, value string) {
		if _, there := (*to)[key]; there {
			return
		}
		if *to == nil {
			*to = map[string]string{}
		}
		(*to)[key], changed = value, true
	}
	for key, value := range m.Given.Job.Labels {
		if !hasPrefix(key, "argocd.argoproj.io/", "kustomize.toolkit.fluxcd.io/", "helm.toolkit.fluxcd.io/") {
			carry(&m.JobSet.Labels, key, value)
		}
	}
	for key, value := range m.Given.Job.Annotations {
		tracking := key == "argocd.argoproj.io/tracking-id" || key == "argocd.argoproj.io/installation-id" ||
			key == "argocd.argoproj.io/hook" && value == "Skip"
		if hasPrefix(key, "kueue.x-k8s.io/", "argocd.argoproj.io/", "kustomize.toolkit.fluxcd.io/") && !tracking {
			carry(&m.JobSet.Annotations, key, value)
		}
	}
	return changed
}

func hasPrefix(key string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(key, p) })
}

// suspendLeft: suspend is written only where it is asked for and no queue
// decides it.
func suspendLeft(m *Made) bool {
	if s := m.JobSet.Spec.Suspend; s == nil || *s && !queued(m) {
		return false
	}
	m.JobSet.Spec.Suspend = nil
	return true
}

// deadlineOnJobs: the deadline ends the Jobs, and nothing deletes the JobSet.
func deadlineOnJobs(m *Made) bool {
	seconds := m.Given.Job.Spec.ActiveDeadlineSeconds
	if seconds == 0 {
		return false
	}
	for i := range m.JobSet.Spec.ReplicatedJobs {
		job := &m.JobSet.Spec.ReplicatedJobs[i].Template.Spec
		if own := job.ActiveDeadlineSeconds; own == nil || *own > seconds {
			job.ActiveDeadlineSeconds = &seconds
		}
	}
	if p := m.JobSet.Spec.FailurePolicy; p != nil {
		for i := range p.Rules { // JobSet names a rule without a name by its place
			if p.Rules[i].Name == fmt.Sprintf("failurePolicyRule%d", i) && m.Given.Template.FailurePolicy.Rules[i].Name == "" {
				p.Rules[i].Name = fmt.Sprintf("failurePolicyRule%d", i+1)
			}
		}
		p.Rules = append([]jobset.FailurePolicyRule{{
			Name: "DeadlineExceeded", Action: jobset.FailJobSet, OnJobFailureReasons: []string{"DeadlineExceeded"},
		}}, p.Rules...)
	}
	return true
}

// ttlLeft: nothing deletes a finished JobSet, or it would be applied again.
func ttlLeft(m *Made) bool {
	longest := m.JobSet.Spec.TTLSecondsAfterFinished
	onJobSet := longest != nil
	m.JobSet.Spec.TTLSecondsAfterFinished = nil
	for i := range m.JobSet.Spec.ReplicatedJobs {
		own := &m.JobSet.Spec.ReplicatedJobs[i].Template.Spec.TTLSecondsAfterFinished
		if *own != nil && !onJobSet && (longest == nil || **own > *longest) {
			longest = *own
		}
		*own = nil
	}
	if longest == nil {
		return false
	}
	annotate(m, "trainyard.dev/soft-ttl-seconds", strconv.Itoa(int(*longest)))
	return true
}

func annotate(m *Made, key, value string) {
	if m.JobSet.Annotations == nil {
		m.JobSet.Annotations = map[string]string{}
	}
	m.JobSet.Annotations[key] = value
}

// selectorAsAffinity: a queued job leaves nodeSelector to Kueue.
func selectorAsAffinity(m *Made) bool {
	if !queued(m) {
		return false
	}
	changed := false
	for i := range m.JobSet.Spec.ReplicatedJobs {
		p := pod(&m.JobSet.Spec.ReplicatedJobs[i])
		if len(p.NodeSelector) == 0 {
			continue
		}
		require(p, p.NodeSelector)
		p.NodeSelector, changed = nil, true
	}
	return changed
}

func require(p *corev1.PodSpec, labels map[string]string) {
	if p.Affinity == nil {
		p.Affinity = &corev1.Affinity{}
	}
	if p.Affinity.NodeAffinity == nil {
		p.Affinity.NodeAffinity = &corev1.NodeAffinity{}
	}
	required := &p.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if *required == nil {
		*required = &corev1.NodeSelector{}
	}
	given := len((*required).NodeSelectorTerms) > 0
	if !given {
		(*required).NodeSelectorTerms = []corev1.NodeSelectorTerm{{}}
	}
	for i := range (*required).NodeSelectorTerms {
		term := &(*required).NodeSelectorTerms[i]
		if given && len(term.MatchExpressions)+len(term.MatchFields) == 0 {
			continue // it matches no node, and shall not begin to
		}
		for _, key := range slices.Sorted(maps.Keys(labels)) {
			term.MatchExpressions = append(term.MatchExpressions, corev1.NodeSelectorRequirement{
				Key: key, Operator: corev1.NodeSelectorOpIn, Values: []string{labels[key]},
			})
		}
	}
}

// managedByLeft: Kueue sets it where a queue dispatches to other clusters.
func managedByLeft(m *Made) bool {
	changed := m.JobSet.Spec.ManagedBy != nil
	m.JobSet.Spec.ManagedBy = nil
	return changed
}

// profiles: what the appliers have to be told.
func profiles(m *Made) bool {
	tolerates := slices.ContainsFunc(m.JobSet.Spec.ReplicatedJobs, func(r jobset.ReplicatedJob) bool {
		return len(pod(&r).Tolerations) > 0
	})
	tell := func(annotations map[string]string, whole any) bool {
		before := maps.Clone(annotations)
		if queued(m) {
			serverSide(annotations)
		}
		if queued(m) && tolerates && annotations["kustomize.toolkit.fluxcd.io/ssa"] == "" {
			annotations["kustomize.toolkit.fluxcd.io/ssa"] = "IfNotPresent"
		}
		text, err := json.Marshal(whole)
		if err == nil && strings.Contains(string(text), "${") && annotations["kustomize.toolkit.fluxcd.io/substitute"] == "" {
			annotations["kustomize.toolkit.fluxcd.io/substitute"] = "disabled"
		}
		return !maps.Equal(before, annotations)
	}
	if m.JobSet.Annotations == nil {
		m.JobSet.Annotations = map[string]string{}
	}
	changed := tell(m.JobSet.Annotations, m.JobSet)
	for _, o := range m.Beside {
		annotations := map[string]string{}
		if tell(annotations, o) {
			o["metadata"].(object)["annotations"] = annotations
			changed = true
		}
	}
	return changed
}

func serverSide(annotations map[string]string) {
	const key = "argocd.argoproj.io/sync-options"
	switch options := annotations[key]; {
	case options == "":
		annotations[key] = "ServerSideApply=true"
	case !strings.Contains(options, "ServerSideApply="):
		annotations[key] = options + ",ServerSideApply=true"
	}
}
