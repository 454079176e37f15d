// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// atTheirCause moves what is refused of a value that JobSet made to the field
// that it was made from, and marks mere echoes.
func atTheirCause(js *jobset.JobSet, refusals []Refusal) []Refusal {
	causes := causesOf(js)
	for i, r := range refusals {
		refusals[i].Echo = isEcho(js, r)
		if strings.Contains(r.Message, "`selector` does not match template `labels`") {
			refusals[i].Field = strings.Replace(r.Field, ".template.metadata.labels", ".selector", 1)
			continue
		}
		if made.MatchString(r.Field) {
			// The user may have written the same value there.
			refusals[i].Field, refusals[i].Also = r.causeIn(causes), r.Field
		}
	}
	return refusals
}

// made are the fields of Jobs, pods and claims that JobSet and the Job API
// fill in.
var made = regexp.MustCompile(`(metadata\.labels|template\.labels|metadata\.name|\.hostname|\.subdomain|ownerReferences\.name)$`)

// cause is a made value, and the field that it was made from.
type cause struct{ value, field string }

func causesOf(js *jobset.JobSet) []cause {
	network := "metadata.name"
	subdomain := js.Name
	if n := js.Spec.Network; n != nil && n.Subdomain != "" {
		network, subdomain = "spec.network.subdomain", n.Subdomain
	}
	causes := []cause{{js.Name, "metadata.name"}, {subdomain, network}}
	if c := js.Spec.Coordinator; c != nil {
		address := fmt.Sprintf("%s-%s-%d-%d.%s", js.Name, c.ReplicatedJob, c.JobIndex, c.PodIndex, subdomain)
		causes = append(causes, cause{address, "spec.coordinator"})
	}
	for i, rj := range js.Spec.ReplicatedJobs {
		causes = append(causes, cause{rj.GroupName, fmt.Sprintf("spec.replicatedJobs[%d].groupName", i)}, cause{rj.Name, "metadata.name"})
		for n := range mostReplicas {
			job := fmt.Sprintf("%s-%s-%d", js.Name, rj.Name, n)
			causes = append(causes, cause{job, "metadata.name"}, cause{job + "-0", "metadata.name"},
				cause{job + "-abcde", "metadata.name"}, cause{job + "-0-abcde", "metadata.name"})
		}
	}
	return append(causes, claimCauses(js)...)
}

// claimCauses: a claim is named <template>-<jobset>, so one of them is at fault.
func claimCauses(js *jobset.JobSet) []cause {
	var causes []cause
	for i, policy := range js.Spec.VolumeClaimPolicies {
		for k, template := range policy.Templates {
			field := fmt.Sprintf("spec.volumeClaimPolicies[%d].templates[%d].metadata.name", i, k)
			if len(validation.IsDNS1123Label(template.Name)) == 0 {
				field = "metadata.name"
			}
			causes = append(causes, cause{template.Name + "-" + js.Name, field})
		}
	}
	return causes
}

// causeIn is the field that the refused value was made from; the refused field,
// if the user wrote the value there.
func (r Refusal) causeIn(causes []cause) string {
	for _, c := range causes {
		if c.value != "" && strings.Contains(r.Message, fmt.Sprintf("Invalid value: %q", c.value)) {
			return c.field
		}
	}
	return r.Field
}

// isEcho reports whether something is refused only because something else is:
// the API forgets a faulty volume, and then misses it at every mount; and it
// says of a mount what it says of the device of that name.
func isEcho(js *jobset.JobSet, r Refusal) bool {
	switch {
	case strings.Contains(r.Message, "PVC name"):
		return true // the names of the pod and of the volume are refused themselves
	case strings.Contains(r.Field, ".volumeMounts"):
		return strings.Contains(r.Message, "already exist") || missed(js, r)
	case strings.Contains(r.Field, ".volumeDevices"):
		return missed(js, r)
	case strings.HasSuffix(r.Field, ".hostPort"):
		return isContainerPort(js, r)
	case podResource.MatchString(r.Field):
		return isSum(js, r)
	case strings.Contains(r.Field, ".labelSelector.matchExpressions"):
		return isLabel(js, r)
	}
	return false
}

// isContainerPort reports whether the API set a port of the node itself, to the
// container's, which is refused already.
func isContainerPort(js *jobset.JobSet, r Refusal) bool {
	var i int
	if _, err := fmt.Sscanf(r.Field, "spec.replicatedJobs[%d]", &i); err != nil {
		return false
	}
	spec := js.Spec.ReplicatedJobs[i].Template.Spec.Template.Spec
	for _, c := range slices.Concat(spec.InitContainers, spec.Containers) {
		for _, port := range c.Ports {
			if port.HostPort == 0 && strings.Contains(r.Message, fmt.Sprintf("Invalid value: %d:", port.ContainerPort)) {
				return true
			}
		}
	}
	return false
}

// podResource is a resource of a pod as a whole.
var podResource = regexp.MustCompile(`^spec\.replicatedJobs\[(\d+)\]\.template\.spec\.template\.spec\.resources\.(limits|requests)\[(.+)\]$`)

// isSum reports whether the API set a resource of the pod itself, to the sum of
// the containers'.
func isSum(js *jobset.JobSet, r Refusal) bool {
	found := podResource.FindStringSubmatch(r.Field)
	i, err := strconv.Atoi(found[1])
	given := js.Spec.ReplicatedJobs[i].Template.Spec.Template.Spec.Resources
	if err != nil || given == nil {
		return false
	}
	list := given.Limits
	if found[2] == "requests" {
		list = given.Requests
	}
	_, ok := list[corev1.ResourceName(found[3])]
	return !ok
}

// isLabel reports whether the API put a label of the pod, itself refused, into
// a selector with matchLabelKeys.
func isLabel(js *jobset.JobSet, r Refusal) bool {
	var i int
	if _, err := fmt.Sscanf(r.Field, "spec.replicatedJobs[%d]", &i); err != nil {
		return false
	}
	for _, value := range js.Spec.ReplicatedJobs[i].Template.Spec.Template.Labels {
		if strings.Contains(r.Message, fmt.Sprintf("Invalid value: %q", value)) {
			return true
		}
	}
	return false
}

// missed reports whether the API misses a volume that is there.
func missed(js *jobset.JobSet, r Refusal) bool {
	var i int
	if _, err := fmt.Sscanf(r.Field, "spec.replicatedJobs[%d]", &i); err != nil || !strings.Contains(r.Message, "Not found") {
		return false
	}
	names := claimNames(js)
	for _, v := range js.Spec.ReplicatedJobs[i].Template.Spec.Template.Spec.Volumes {
		names = append(names, v.Name)
	}
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(r.Message, fmt.Sprintf("%q", name)) })
}

func claimNames(js *jobset.JobSet) []string {
	var names []string
	for _, policy := range js.Spec.VolumeClaimPolicies {
		for _, template := range policy.Templates {
			names = append(names, template.Name)
		}
	}
	return names
}
