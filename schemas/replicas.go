// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"fmt"

	"github.com/trainyard/trainyard/internal/jsontree"
	"github.com/trainyard/trainyard/render/finding"
)

// zeroReplicas finds jobs with replicas: 0 or less. The API's Go types cannot tell it
// from a field that is not there, so that JobSet makes 1 of it, and nobody
// after the schemas could see it.
func zeroReplicas(object *jsontree.Value) []finding.Finding {
	jobs := object.At("spec", "template", "spec", "replicatedJobs")
	var found []finding.Finding
	for i := range jobs.Items {
		if n, ok := whole(jobs.Items[i].At("replicas")); ok && n < 1 {
			found = append(found, finding.Errorf(finding.RuntimeReplicas, fmt.Sprintf("spec.template.spec.replicatedJobs[%d].replicas", i),
				"is %d, of which no run comes, or one; write 1 or leave the field out, or remove the job", n))
		}
	}
	return found
}
