// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/finding"
)

// podSuffix stands for what the Job controller adds to the name of a pod.
const podSuffix = "-abcde"

// checkNames: JobSet names Jobs <jobset>-<job>-<index> and pods
// <jobset>-<job>-<index>-<index>-<five characters>, and each must be a label of
// RFC 1035.
func checkNames(root spot, js *jobset.JobSet) {
	name := root.at("metadata", "name").under(finding.JobSetName)
	name.refuseIf(apartFromLength(isLabel1035(js.Name)), js.Name)
	for i, rj := range js.Spec.ReplicatedJobs {
		at := root.at("spec", "replicatedJobs").index(i).under(finding.JobSetName)
		if rj.Name != "" {
			at.at("name").refuseIf(apartFromLength(isLabel(rj.Name)), rj.Name)
		}
		at.at("groupName").refuseIf(isLabel1035(rj.GroupName), rj.GroupName)
	}
	checkNameLength(root, js)
}

// apartFromLength leaves out the complaint about the length, which checkNameLength
// answers for the whole of the name that is made.
func apartFromLength(complaints []string) []string {
	var rest []string
	for _, c := range complaints {
		if c != validation.MaxLenError(validation.DNS1035LabelMaxLength) {
			rest = append(rest, c)
		}
	}
	return rest
}

// checkNameLength reports the tightest of the names that are made, and how long
// the JobSet's may be for all of them to fit.
func checkNameLength(root spot, js *jobset.JobSet) {
	var longest, of string
	for i, rj := range js.Spec.ReplicatedJobs {
		if made := longestName(&js.Spec.ReplicatedJobs[i]); len(made) > len(longest) {
			longest, of = made, rj.Name
		}
	}
	room := validation.DNS1035LabelMaxLength - len(longest)
	if len(js.Name) <= room {
		return
	}
	at := root.at("metadata", "name").under(finding.JobSetNameLength)
	if room < 1 {
		at.refuse("the job %q leaves no room for a name: %q follows it, and both may have %d characters; shorten the job's name",
			of, longest, validation.DNS1035LabelMaxLength)
		return
	}
	at.refuse("may have at most %d characters; it has %d: the pods of job %q are named …%s, and that may have %d",
		room, len(js.Name), of, longest, validation.DNS1035LabelMaxLength)
}

// longestName is what follows the JobSet's name in the longest name made for
// the replicated job.
func longestName(rj *jobset.ReplicatedJob) string {
	made := fmt.Sprintf("-%s-%d", rj.Name, rj.Replicas-1)
	spec := &rj.Template.Spec
	switch {
	case !isIndexed(spec):
		return made
	case spec.Completions != nil:
		return made + fmt.Sprintf("-%d", *spec.Completions-1) + podSuffix
	case spec.Parallelism == nil:
		// The Job API counts one completion and asks that its host name fits.
		return made + "-0"
	}
	return made
}
