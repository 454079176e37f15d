// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	scheduling "sigs.k8s.io/scheduler-plugins/apis/scheduling/v1alpha1"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/finding"
)

// The coscheduling plugin of the Kubernetes scheduler finds a pod's gang by a
// label, and its size in a PodGroup. The pods must ask for a scheduler that has
// the plugin; that stands in the runtime. Source: kubernetes-sigs/scheduler-plugins.

var coscheduling = Policy{
	Name:    "coscheduling",
	Applies: func(j Job) bool { return j.PodGroupPolicy.Coscheduling != nil },
	Check:   func(j Job) []finding.Finding { return slices.Concat(tooManyMembers(j), gpusOutside(j)) },
	Layer: func(j Job) Layer {
		return Layer{
			Jobs:       markGang(j, Metadata{Labels: map[string]string{marks.CoschedGroup: j.Name}}),
			Companions: []runtime.Object{coschedulingGroup(j)},
		}
	},
}

func coschedulingGroup(j Job) *scheduling.PodGroup {
	members, requests := gangSize(j)
	return &scheduling.PodGroup{
		TypeMeta:   metav1.TypeMeta{APIVersion: scheduling.SchemeGroupVersion.String(), Kind: "PodGroup"},
		ObjectMeta: metav1.ObjectMeta{Name: j.Name, Namespace: j.Namespace},
		Spec: scheduling.PodGroupSpec{
			MinMember:              int32(members), //nolint:gosec // tooManyMembers refuses more
			MinResources:           requests,
			ScheduleTimeoutSeconds: j.PodGroupPolicy.Coscheduling.ScheduleTimeoutSeconds,
		},
	}
}
