// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"

	"github.com/trainyard/trainyard/render/finding"
)

// dropped finds the lists that a patch replaces whole, and of which something
// goes that was there: strategic merge goes through objects, not through them.
func dropped(pod corev1.PodSpec, patch trainer.PodSpecPatch, at string) []finding.Finding {
	found := slices.Concat(
		droppedBelow(pod.Affinity, patch.Affinity, at+".affinity"),
		droppedBelow(pod.SecurityContext, patch.SecurityContext, at+".securityContext"),
		droppedOf(pod.Containers, patch.Containers, at+".containers"),
		droppedOf(pod.InitContainers, patch.InitContainers, at+".initContainers"))
	if n := droppedTolerations(pod.Tolerations, patch.Tolerations); n > 0 {
		found = append(found, replaces(at+".tolerations", "tolerations", n))
	}
	return found
}

func droppedOf(there []corev1.Container, patch []trainer.ContainerPatch, at string) []finding.Finding {
	var found []finding.Finding
	for i, c := range patch {
		for _, was := range there {
			if was.Name == c.Name {
				found = append(found, droppedBelow(was.SecurityContext, c.SecurityContext, fmt.Sprintf("%s[%d].securityContext", at, i))...)
			}
		}
	}
	return found
}

// droppedBelow compares the lists of two objects of one type.
func droppedBelow[T any](there, patch *T, at string) []finding.Finding {
	if there == nil || patch == nil {
		return nil
	}
	was, err := asMap(there)
	if err != nil {
		return nil // the merge says so
	}
	now, err := asMap(patch)
	if err != nil {
		return nil
	}
	return droppedFields(was, now, at)
}

func droppedFields(was, now map[string]any, at string) []finding.Finding {
	var found []finding.Finding
	for _, key := range slices.Sorted(maps.Keys(now)) {
		list, isList := now[key].([]any)
		before, _ := was[key].([]any)
		if !isList {
			found = append(found, droppedFields(object(was, key), object(now, key), at+"."+key)...)
			continue
		}
		stays := func(item any) bool {
			return slices.ContainsFunc(list, func(other any) bool { return reflect.DeepEqual(item, other) })
		}
		if n := len(slices.DeleteFunc(slices.Clone(before), stays)); n > 0 {
			found = append(found, replaces(at+"."+key, key, n))
		}
	}
	return found
}

func droppedTolerations(there, patch []corev1.Toleration) int {
	if len(patch) == 0 {
		return 0
	}
	stays := func(t corev1.Toleration) bool {
		return slices.ContainsFunc(patch, func(p corev1.Toleration) bool { return p.MatchToleration(&t) })
	}
	return len(slices.DeleteFunc(slices.Clone(there), stays))
}

func replaces(at, list string, n int) finding.Finding {
	return finding.Warningf(finding.PatchReplaces, at,
		"the patch's %s replace those of the runtime and of patches before, of which %d go; repeat those that shall stay", list, n)
}
