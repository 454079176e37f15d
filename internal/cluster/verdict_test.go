// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package cluster_test

import (
	"strings"
	"testing"

	"github.com/trainyard/trainyard/internal/cluster"
)

const twoNamespaces = `
kind: List
items:
- {apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: a, namespace: x}, spec: {runtimeRef: {name: r}}}
- {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: a, namespace: w, labels: {trainyard.dev/trainjob: a}}, spec: {}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: z}}
`

func TestNamespaceLeftOpen(t *testing.T) {
	state, err := cluster.Read([]byte(twoNamespaces))
	if err != nil {
		t.Fatal(err)
	}
	if v := state.Migrate("", "a", ""); v.Decision != cluster.Wait || !strings.Contains(v.Why, "namespace") {
		t.Errorf("two of that name: %+v", v)
	}
	if v := state.Migrate("x", "a", ""); v.Decision != cluster.Leave {
		t.Errorf("the Trainer has it: %+v", v)
	}
	if v := state.Migrate("w", "a", ""); v.Decision != cluster.Wait {
		t.Errorf("it was rendered and runs: %+v", v)
	}
	if v := state.Migrate("z", "a", ""); v.Decision != cluster.Switch {
		t.Errorf("it is not there: %+v", v)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, text := range []string{"a: b: c", "- 1", "kind: List\nitems: [{kind: TrainJob, apiVersion: trainer.kubeflow.org/v1alpha1, spec: 1}]"} {
		if _, err := cluster.Read([]byte(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}
