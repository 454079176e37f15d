// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/internal/golden"
)

// The short way to place pods gives what the general way gives, for any job of
// any case.
func TestPlacingIsMerging(t *testing.T) {
	patches := map[string]trainer.PodSpecPatch{
		"nothing":          {},
		"empty":            {NodeSelector: map[string]string{}, Tolerations: []corev1.Toleration{}},
		"selector":         {NodeSelector: map[string]string{"pool": "a100", "zone": ""}},
		"tolerations":      {Tolerations: []corev1.Toleration{{Key: "gpu", Operator: corev1.TolerationOpExists}, {Key: "spot", TolerationSeconds: new(int64(60))}}},
		"account":          {ServiceAccountName: new("trainer")},
		"no account":       {ServiceAccountName: new("")},
		"all that it does": {NodeSelector: map[string]string{"pool": "cpu"}, Tolerations: []corev1.Toleration{{}}, ServiceAccountName: new("a")},
	}
	golden.Cases(t, "../testdata/render", func(t *testing.T, folder string) {
		text, err := os.ReadFile(filepath.Join(folder, "jobset.yaml"))
		if err != nil {
			return // nothing is rendered
		}
		var js jobset.JobSet
		if err := yaml.Unmarshal(text, &js); err != nil {
			t.Fatal(err)
		}
		for _, r := range js.Spec.ReplicatedJobs {
			for name, pod := range patches {
				placesAsMerged(t, name, r.Template, pod)
			}
		}
	})
}

func placesAsMerged(t *testing.T, name string, template batchv1.JobTemplateSpec, pod trainer.PodSpecPatch) {
	t.Helper()
	before, patch := flow(t, template), podPatch(pod)
	if !isPlacement(patch) {
		t.Errorf("%s: goes the general way", name)
	}
	merged, err := mergeStrategically(template, patch)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(flow(t, merged), flow(t, placed(template, pod))); diff != "" {
		t.Errorf("%s: merged -, placed +:\n%s", name, diff)
	}
	if diff := cmp.Diff(before, flow(t, template)); diff != "" {
		t.Errorf("%s: the template has changed:\n%s", name, diff)
	}
}

func podPatch(pod trainer.PodSpecPatch) trainer.JobTemplatePatch {
	return trainer.JobTemplatePatch{Spec: &trainer.JobSpecPatch{Template: &trainer.PodTemplatePatch{Spec: &pod}}}
}

func flow[T any](t *testing.T, value T) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestOtherPatchesAreMerged(t *testing.T) {
	for name, patch := range map[string]trainer.JobTemplatePatch{
		"empty":     {},
		"metadata":  {Metadata: &metav1.ObjectMeta{}},
		"grace":     podPatch(trainer.PodSpecPatch{TerminationGracePeriodSeconds: new(int64(5))}),
		"container": podPatch(trainer.PodSpecPatch{Containers: []trainer.ContainerPatch{{Name: "node"}}}),
		"directive": podPatch(trainer.PodSpecPatch{NodeSelector: map[string]string{"$patch": "replace"}}),
	} {
		if isPlacement(patch) {
			t.Errorf("%s: goes the short way", name)
		}
	}
}
