// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"testing"

	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/runtimes"
)

// TestAFaultIsAFinding: a panic anywhere becomes an error, and the items come
// out as they went in.
func TestAFaultIsAFinding(t *testing.T) {
	items := []*resourcelist.Item{nil}
	out := Transform(Input{Items: items})
	if len(out.Findings) != 1 || out.Findings[0].Rule != finding.Internal || len(out.Items) != 1 || out.Items[0] != nil {
		t.Errorf("%+v", out)
	}
}

// TestAFaultInOneJob is that job's, and does not hide what is wrong with
// others.
func TestAFaultInOneJob(t *testing.T) {
	in := Read(Input{Items: []*resourcelist.Item{trainJob("a"), trainJob("b")}})
	in.runtimes = []runtimeSource{{item: nil, entry: runtimes.Entry{}, previous: []string{"x"}}}
	in.catalog = runtimes.Catalog{}.With(runtimes.Entry{Runtime: render.Runtime{Kind: "ClusterTrainingRuntime"}})
	var faults int
	for _, o := range in.renderAll() {
		for _, f := range o.findings {
			if f.Rule == finding.Internal && f.Object.Name == o.source.Ref.Name {
				faults++
			}
		}
	}
	if faults != 2 {
		t.Errorf("%d faults found, want one for each job", faults)
	}
}

func TestAFaultBesideTheJobs(t *testing.T) {
	defer func() {
		if fault := recover(); fault != "fault" {
			t.Errorf("recovered %v", fault)
		}
	}()
	parallel(5, func(i int) {
		if i == 3 {
			panic("fault")
		}
	})
}

func trainJob(name string) *resourcelist.Item {
	text := "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata:\n  name: " + name + "\nspec:\n  runtimeRef:\n    name: x\n"
	return resourcelist.New(finding.Ref{APIVersion: "trainer.kubeflow.org/v1alpha1", Kind: "TrainJob", Name: name}, []byte(text))
}
