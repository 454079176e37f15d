// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trainyard/trainyard/render/finding"
)

// TestARuntimeChangedUnderManyRuns: no byte of 200 rendered runs changes, one
// line says so, and refresh renders them anew.
func TestARuntimeChangedUnderManyRuns(t *testing.T) {
	list, _ := Run(manyJobs(t, 200))
	changed := bytes.Replace(list, []byte("registry.example/base:1"), []byte("registry.example/base:2"), 1)
	again, out := Run(changed)
	sameItems(t, "after a change of the runtime", changed, again)
	if len(out.Findings) != 1 || out.Findings[0].Rule != finding.FrozenRun || !strings.Contains(out.Findings[0].Message, "200 runs") {
		t.Errorf("findings: %+v", out.Findings)
	}
	refreshed, _ := Run(append(changed, "functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  data:\n    refresh: All\n"...))
	if n := bytes.Count(withoutResults(t, refreshed), []byte("registry.example/base:2")); n != 201 {
		t.Errorf("%d images after a refresh, want 201", n)
	}
}

// manyJobs returns a list of a runtime and n TrainJobs that stay in it.
func manyJobs(t *testing.T, n int) []byte {
	t.Helper()
	runtime, _, _ := bytes.Cut(readFile(t, filepath.Join(cases, "kpt-keeps-sources", "input.yaml")), []byte("- apiVersion: trainer.kubeflow.org/v1alpha1\n  kind: TrainJob"))
	for i := range n {
		runtime = fmt.Appendf(runtime, `- apiVersion: trainer.kubeflow.org/v1alpha1
  kind: TrainJob
  metadata:
    name: job-%03d
    namespace: team-a
    annotations:
      config.kubernetes.io/path: jobs/%03d.yaml
      config.kubernetes.io/index: '0'
  spec:
    runtimeRef:
      name: torch-basic
    trainer:
      numNodes: 2
`, i, i)
	}
	return runtime
}

func BenchmarkFunction(b *testing.B) {
	for _, n := range []int{1, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			in := manyJobs(&testing.T{}, n)
			b.ReportAllocs()
			for b.Loop() {
				if _, out := Run(in); finding.Blocking(out.Findings) {
					b.Fatal(out.Findings)
				}
			}
		})
	}
}
