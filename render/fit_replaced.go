// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/render/policy"
)

// replaced finds what the runtime gives its pods and the framework replaces.
func replaced(p pair) []finding.Finding {
	i := slices.IndexFunc(policy.Frameworks(), func(f policy.Policy) bool { return f.Name == string(p.scaled.Framework) })
	if i < 0 || !slices.ContainsFunc(p.scaled.Spec.ReplicatedJobs, hasOwn) {
		return nil
	}
	var found []finding.Finding
	layer := policy.Frameworks()[i].Layer(p.scaled)
	for _, r := range p.scaled.Spec.ReplicatedJobs {
		l := layer.Jobs[r.Name]
		for _, v := range policy.Pod(r).Volumes {
			if slices.ContainsFunc(l.Volumes, func(ours corev1.Volume) bool { return ours.Name == v.Name && !equality.Semantic.DeepEqual(ours, v) }) {
				found = append(found, finding.Warningf(finding.NoEffect, "spec.runtimeRef",
					"the runtime's job %s has a volume %s, which the %s policy replaces; give it another name", r.Name, v.Name, p.scaled.Framework))
			}
		}
		for _, c := range slices.Concat(policy.Pod(r).Containers, policy.Pod(r).InitContainers) {
			found = append(found, replacedEnv(c, l.Containers[c.Name].Env,
				fmt.Sprintf("is set by the %s policy, which replaces the value of the runtime's container %s in job %s", p.scaled.Framework, c.Name, r.Name))...)
		}
	}
	return found
}

// hasOwn reports whether a job has anything that could be replaced.
func hasOwn(r jobset.ReplicatedJob) bool {
	hasEnv := func(c corev1.Container) bool { return len(c.Env) > 0 }
	pod := policy.Pod(r)
	return len(pod.Volumes) > 0 || slices.ContainsFunc(pod.Containers, hasEnv) || slices.ContainsFunc(pod.InitContainers, hasEnv)
}

func replacedEnv(c corev1.Container, ours []corev1.EnvVar, what string) []finding.Finding {
	var found []finding.Finding
	for _, e := range c.Env {
		if slices.ContainsFunc(ours, func(o corev1.EnvVar) bool { return o.Name == e.Name && !equality.Semantic.DeepEqual(o, e) }) {
			found = append(found, finding.Warningf(finding.ReservedEnv, "spec.runtimeRef", "%s %s; remove it there", e.Name, what))
		}
	}
	return found
}
