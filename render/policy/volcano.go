// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	scheduling "volcano.sh/apis/pkg/apis/scheduling/v1beta1"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/finding"
)

// Volcano finds a pod's gang by an annotation, and its size, queue and network
// topology in a PodGroup. The pods must ask for the volcano scheduler; that
// stands in the runtime. Source: volcano.sh, scheduling/v1beta1.

var volcano = Policy{
	Name:    "volcano",
	Applies: func(j Job) bool { return j.PodGroupPolicy.Volcano != nil },
	Check: func(j Job) []finding.Finding {
		return slices.Concat(emptyQueue(j), tooManyMembers(j), unknownPriorityClasses(j), gpusOutside(j))
	},
	Layer: func(j Job) Layer {
		return Layer{
			Jobs:       markGang(j, Metadata{Annotations: map[string]string{marks.VolcanoGroup: j.Name}}),
			Companions: []runtime.Object{volcanoGroup(j)},
		}
	},
}

func volcanoGroup(j Job) *scheduling.PodGroup {
	members, requests := gangSize(j)
	group := &scheduling.PodGroup{
		TypeMeta:   metav1.TypeMeta{APIVersion: scheduling.SchemeGroupVersion.String(), Kind: "PodGroup"},
		ObjectMeta: metav1.ObjectMeta{Name: j.Name, Namespace: j.Namespace},
		Spec: scheduling.PodGroupSpec{
			MinMember:         int32(members), //nolint:gosec // tooManyMembers refuses more
			Queue:             j.Metadata.Annotations[marks.VolcanoQueue],
			PriorityClassName: lastPriorityClass(j),
			NetworkTopology:   j.PodGroupPolicy.Volcano.NetworkTopology,
		},
	}
	if len(requests) > 0 {
		group.Spec.MinResources = &requests
	}
	return group
}

// lastPriorityClass: the PodGroup has one, and the Trainer takes the last.
func lastPriorityClass(j Job) string {
	var name string
	for _, r := range j.Spec.ReplicatedJobs {
		if class := Pod(r).PriorityClassName; class != "" {
			name = class
		}
	}
	return name
}

func emptyQueue(j Job) []finding.Finding {
	if queue, ok := j.Metadata.Annotations[marks.VolcanoQueue]; ok && queue == "" {
		return []finding.Finding{finding.Errorf(finding.VolcanoQueue, "metadata.annotations["+marks.VolcanoQueue+"]",
			"the Volcano queue has an empty name; name one, or drop the annotation from the runtime or the patch that sets it")}
	}
	return nil
}
