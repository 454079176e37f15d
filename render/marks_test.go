// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"strings"
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/runtimes"
)

// TestLongTrainJobForTheMirror: what would be too long in a file of testdata.
func TestLongTrainJobForTheMirror(t *testing.T) {
	long := strings.Repeat("x", 49<<10)
	for name, c := range map[string]struct {
		trainer trainer.Trainer
		refused bool
	}{
		"command and args are left out": {trainer: trainer.Trainer{Command: []string{"torchrun", long}, Args: []string{long}}},
		"too long even so":              {trainer: trainer.Trainer{Env: []corev1.EnvVar{{Name: "LONG", Value: long}}}, refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			job := &trainer.TrainJob{Spec: trainer.TrainJobSpec{
				RuntimeRef: trainer.RuntimeRef{Name: "torch-distributed"},
				Trainer:    &c.trainer,
			}}
			job.Name = "long"
			rt, _ := runtimes.Builtin().Resolve(job.Spec.RuntimeRef, "")
			result := render.Render(job, rt.Runtime, render.Options{Mirror: render.MirrorCreate})
			if finding.Blocking(result.Findings) != c.refused {
				t.Fatalf("refused: %t, wanted %t: %v", !c.refused, c.refused, result.Findings)
			}
			if c.refused {
				return
			}
			if spec := result.JobSet.Annotations[marks.TrainJobSpec]; strings.Contains(spec, "xxx") || spec == "" {
				t.Errorf("the annotation has %d bytes; wanted it without command and args", len(spec))
			}
		})
	}
}
