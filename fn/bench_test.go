// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"fmt"
	"testing"

	"github.com/trainyard/trainyard/internal/workload"
	"github.com/trainyard/trainyard/render/finding"
)

// BenchmarkRun is a whole run without the process around it.
func BenchmarkRun(b *testing.B) {
	for _, jobs := range []int{1, 100, 1_000} {
		b.Run(fmt.Sprint(jobs), func(b *testing.B) {
			items, err := workload.Items("..", jobs, 0)
			if err != nil {
				b.Fatal(err)
			}
			list := workload.List(items)
			b.ReportAllocs()
			for b.Loop() {
				if _, out := Run(list); finding.Blocking(out.Findings) {
					b.Fatal(out.Findings)
				}
			}
		})
	}
}
