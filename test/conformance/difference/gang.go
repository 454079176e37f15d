// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package difference

import (
	"maps"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	resourcehelper "k8s.io/component-helpers/resource"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/test/conformance/compare"
	"github.com/trainyard/trainyard/test/conformance/upstream"
)

// gang: a PodGroup holds the pods that start together with the training.
func gang(m *Made) bool {
	if m.Given.Runtime.PodGroupPolicy == nil {
		return false
	}
	levels := levelsOf(m.JobSet.Spec)
	level := levels[trainingJob(m)]
	members, requests, changed := int64(0), corev1.ResourceList{}, false
	for i := range m.JobSet.Spec.ReplicatedJobs {
		r := &m.JobSet.Spec.ReplicatedJobs[i]
		if levels[r.Name] != level {
			changed = unmark(m, r) || changed
			continue
		}
		count := int64(*r.Template.Spec.Parallelism) * int64(r.Replicas)
		members += count
		for name, quantity := range requestsOf(*pod(r)) {
			quantity.Mul(count)
			sum := requests[name]
			sum.Add(quantity)
			requests[name] = sum
		}
	}
	for _, group := range m.Beside {
		if group["kind"] == "PodGroup" {
			changed = resize(group["spec"].(object), members, requests) || changed
		}
	}
	return changed
}

func resize(spec object, members int64, requests corev1.ResourceList) bool {
	sized := object{}
	if upstream.Convert(object{"minMember": members, "minResources": requests}, &sized) != nil {
		return false
	}
	before := compare.Tidy(object{"minMember": spec["minMember"], "minResources": spec["minResources"]})
	maps.Copy(spec, sized)
	return !reflect.DeepEqual(before, compare.Tidy(sized))
}

// trainingJob is the one whose pods train: MPI's workers, else the trainer.
func trainingJob(m *Made) string {
	jobs := m.JobSet.Spec.ReplicatedJobs
	if policy(&m.Given).MPI != nil && named(jobs, node) != nil {
		return node
	}
	if r := trainerJob(jobs); r != nil {
		return r.Name
	}
	return ""
}

// levelsOf counts for each job those that have to start before it.
func levelsOf(spec jobset.JobSetSpec) map[string]int {
	levels := map[string]int{}
	for i, r := range spec.ReplicatedJobs {
		if spec.StartupPolicy != nil && spec.StartupPolicy.StartupPolicyOrder == jobset.InOrder {
			levels[r.Name] = i
		}
		for _, d := range r.DependsOn {
			levels[r.Name] = max(levels[r.Name], levels[d.Name]+1)
		}
	}
	return levels
}

// unmark gives a pod back what its template had in the place of the mark.
func unmark(m *Made, r *jobset.ReplicatedJob) bool {
	template := named(m.Given.Template.ReplicatedJobs, r.Name).Template.Spec.Template.ObjectMeta
	made := &r.Template.Spec.Template.ObjectMeta
	changed := false
	if m.Given.Runtime.PodGroupPolicy.Coscheduling != nil {
		changed = give(made.Labels, template.Labels, "scheduling.x-k8s.io/pod-group")
	}
	if m.Given.Runtime.PodGroupPolicy.Volcano != nil {
		changed = give(made.Annotations, template.Annotations, "scheduling.k8s.io/group-name") || changed
	}
	return changed
}

func give(to, from map[string]string, key string) bool {
	was := to[key]
	if value, ok := from[key]; ok {
		to[key] = value
		return value != was
	}
	delete(to, key)
	return true
}

// requestsOf are those of one pod once the API server has made requests of
// limits.
func requestsOf(p corev1.PodSpec) corev1.ResourceList {
	p = *p.DeepCopy()
	for _, c := range append(pointers(p.Containers), pointers(p.InitContainers)...) {
		c.Resources.Requests = merged(c.Resources.Limits, c.Resources.Requests)
	}
	if p.Resources != nil {
		p.Resources.Requests = merged(p.Resources.Limits, p.Resources.Requests)
	}
	return resourcehelper.PodRequests(&corev1.Pod{Spec: p}, resourcehelper.PodResourcesOptions{})
}
