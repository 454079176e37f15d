// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/trainyard/trainyard/render/policy"
)

// merge applies the patch to the template. It fails on an entry without the
// name by which it would be merged.
func merge(template batchv1.JobTemplateSpec, patch trainer.JobTemplatePatch) (batchv1.JobTemplateSpec, error) {
	if isPlacement(patch) {
		return placed(template, *patch.Spec.Template.Spec), nil
	}
	return mergeStrategically(template, patch)
}

// isPlacement reports whether the patch says no more than where the pods run,
// as most patches do. That takes no merging of lists, of which the general way
// costs as much as the rest of a rendering.
func isPlacement(patch trainer.JobTemplatePatch) bool {
	if patch.Metadata != nil || patch.Spec == nil || patch.Spec.Template == nil ||
		patch.Spec.Template.Metadata != nil || patch.Spec.Template.Spec == nil {
		return false
	}
	rest := *patch.Spec.Template.Spec
	for key := range rest.NodeSelector {
		if strings.HasPrefix(key, "$") { // it directs the merging
			return false
		}
	}
	rest.NodeSelector, rest.Tolerations, rest.ServiceAccountName = nil, nil, nil
	return reflect.ValueOf(rest).IsZero()
}

// placed does to such a patch what mergeStrategically does.
func placed(template batchv1.JobTemplateSpec, patch trainer.PodSpecPatch) batchv1.JobTemplateSpec {
	pod := &template.Spec.Template.Spec
	if len(patch.NodeSelector) > 0 {
		pod.NodeSelector = policy.Overlay(pod.NodeSelector, patch.NodeSelector)
	}
	if len(patch.Tolerations) > 0 {
		pod.Tolerations = patch.Tolerations
	}
	if patch.ServiceAccountName != nil {
		pod.ServiceAccountName = *patch.ServiceAccountName
	}
	return template
}

func mergeStrategically(template batchv1.JobTemplateSpec, patch trainer.JobTemplatePatch) (batchv1.JobTemplateSpec, error) {
	var result batchv1.JobTemplateSpec
	convert := runtime.DefaultUnstructuredConverter // as JSON would be, without writing it
	original, err := convert.ToUnstructured(&template)
	if err != nil {
		return result, fmt.Errorf("encode the template: %w", err)
	}
	document, err := convert.ToUnstructured(&patch)
	if err != nil {
		return result, fmt.Errorf("encode the patch: %w", err)
	}
	retainSources(object(object(object(document, "spec"), "template"), "spec"))
	sum, err := strategicpatch.StrategicMergeMapPatch(original, document, result)
	if err != nil {
		return result, err
	}
	return result, convert.FromUnstructured(sum, &result)
}

// retainSources makes a patched volume or variable replace its source: without
// it the old one stays beside the new, which the API refuses.
func retainSources(pod map[string]any) {
	for _, volume := range objects(pod, "volumes") {
		retain(volume)
	}
	for _, container := range slices.Concat(objects(pod, "containers"), objects(pod, "initContainers")) {
		for _, env := range objects(container, "env") {
			retain(env)
			retain(object(env, "valueFrom"))
		}
	}
}

// retain keeps only the patch's own keys of what it patches, if it has any
// beside the name.
func retain(patch map[string]any) {
	keys := slices.Sorted(maps.Keys(patch))
	if len(keys) == 0 || slices.Equal(keys, []string{"name"}) {
		return
	}
	retained := make([]any, len(keys))
	for i, key := range keys {
		retained[i] = key
	}
	patch["$retainKeys"] = retained
}
