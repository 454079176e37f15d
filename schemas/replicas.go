// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"fmt"

	"github.com/trainyard/trainyard/render/finding"
)

// zeroReplicas finds jobs with replicas: 0 or less. The API's Go types cannot tell it
// from a field that is not there, so that JobSet makes 1 of it, and nobody
// after the schemas could see it.
func zeroReplicas(object map[string]any) []finding.Finding {
	jobs, _ := within(object, "spec", "template", "spec", "replicatedJobs").([]any)
	var found []finding.Finding
	for i, job := range jobs {
		if n, ok := whole(within(job, "replicas")); ok && n < 1 {
			found = append(found, finding.Errorf(finding.RuntimeReplicas, fmt.Sprintf("spec.template.spec.replicatedJobs[%d].replicas", i),
				"is %d, of which no run comes, or one; write 1 or leave the field out, or remove the job", n))
		}
	}
	return found
}
