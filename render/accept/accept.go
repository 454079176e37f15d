// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"slices"

	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/finding"
)

// Check returns what JobSet's webhook, the Job API and the Pod API would refuse
// of the JobSet and of the Jobs and pods made from it. Errors are what a
// cluster refuses; warnings are what it takes and then cannot run. The fields
// are paths into the JobSet.
func Check(js *jobset.JobSet) []finding.Finding {
	if js == nil {
		return nil
	}
	var found []finding.Finding
	root := spot{found: &found}
	settled := settle(js)
	checkJobSet(root, settled)
	for i := range settled.Spec.ReplicatedJobs {
		rj := &settled.Spec.ReplicatedJobs[i]
		if rj.Replicas < 1 {
			continue // no Job is made
		}
		checkJob(root.at("spec", "replicatedJobs").index(i).at("template"), job{rj, settled})
	}
	return found
}

// settle returns the JobSet with the defaults of its CRD and webhook on which
// the rules depend. It copies no more than it changes.
func settle(js *jobset.JobSet) *jobset.JobSet {
	if !slices.ContainsFunc(js.Spec.ReplicatedJobs, isOpen) {
		return js
	}
	settled := *js
	settled.Spec.ReplicatedJobs = slices.Clone(js.Spec.ReplicatedJobs)
	for i := range settled.Spec.ReplicatedJobs {
		rj := &settled.Spec.ReplicatedJobs[i]
		if rj.Replicas == 0 {
			rj.Replicas = 1
		}
		if rj.GroupName == "" {
			rj.GroupName = "default"
		}
		settleJob(&rj.Template.Spec)
	}
	return &settled
}

// isOpen reports whether the job lacks one of these defaults.
func isOpen(rj jobset.ReplicatedJob) bool {
	spec := &rj.Template.Spec
	return rj.Replicas == 0 || rj.GroupName == "" || spec.CompletionMode == nil || spec.Template.Spec.RestartPolicy == ""
}
