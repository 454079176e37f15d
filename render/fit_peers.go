// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/render/policy"
)

// peers asks whether the pods that train can find each other: by an index, and
// by the host names that go with it.
func peers(p pair) []finding.Finding {
	if p.job.Framework == policy.None || p.job.Framework == policy.Flux {
		return nil
	}
	var found []finding.Finding
	const template = "spec.template.spec"
	for i, r := range p.job.Spec.ReplicatedJobs {
		mode, trains := r.Template.Spec.CompletionMode, policy.Step(r) == policy.StepTrainer || p.job.Framework == policy.MPI && r.Name == policy.Node
		if trains && mode != nil && *mode == batchv1.NonIndexedCompletion {
			found = append(found, finding.Warningf(finding.UnreachablePeers, fmt.Sprintf("%s.replicatedJobs[%d].template.spec.completionMode", template, i),
				"is NonIndexed, so the pods of job %s have no index and no host names, by which the %s policy tells them apart; leave it out for Indexed", r.Name, p.job.Framework))
		}
	}
	if n := p.job.Spec.Network; n != nil && n.EnableDNSHostnames != nil && !*n.EnableDNSHostnames {
		found = append(found, finding.Warningf(finding.UnreachablePeers, template+".network.enableDNSHostnames",
			"is false, so no pod has the host name under which the %s policy lets the others find it; leave it out for true", p.job.Framework))
	}
	return found
}
