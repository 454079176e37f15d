// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"

	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/finding"
)

// ttls warns of each TTL of the runtime: an applier makes again what one
// deletes.
func ttls(p pair) []finding.Finding {
	spec := p.rt.Spec.Template.Spec
	soft := ttl(spec)
	var found []finding.Finding
	for _, held := range heldTTLs(spec) {
		if p.opts.TTL == TTLKeep {
			found = append(found, finding.Warningf(finding.TTLKept, held.field, "is kept: %s", held.consequence))
			continue
		}
		found = append(found, finding.Warningf(finding.TTLStripped, held.field,
			"is left out: with it, %s. The mirror frees the pods instead, %d s after the run has ended (annotation %s)", held.consequence, *soft, marks.SoftTTLSeconds))
	}
	return found
}

// heldTTL is a TTL, the field that holds it, and what it would do.
type heldTTL struct{ field, consequence string }

func heldTTLs(spec jobset.JobSetSpec) []heldTTL {
	var held []heldTTL
	if seconds := spec.TTLSecondsAfterFinished; seconds != nil {
		held = append(held, heldTTL{"spec.template.spec.ttlSecondsAfterFinished", fmt.Sprintf(
			"%d s after it has finished the JobSet is deleted; if an applier still has it then, it is made again and the training runs again", *seconds)})
	}
	for i, r := range spec.ReplicatedJobs {
		if seconds := r.Template.Spec.TTLSecondsAfterFinished; seconds != nil {
			held = append(held, heldTTL{fmt.Sprintf("spec.template.spec.replicatedJobs[%d].template.spec.ttlSecondsAfterFinished", i), fmt.Sprintf(
				"%d s after a Job of %s has finished it is deleted; if the JobSet has not finished by then, it makes the Job again, which runs again", *seconds, r.Name)})
		}
	}
	return held
}
