// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"testing"

	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
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
	var none *Package // any use of it is a fault
	o := none.renderJob(trainJob("a"))
	if len(o.findings) != 1 || o.findings[0].Rule != finding.Internal || o.findings[0].Object.Name != "a" {
		t.Errorf("%+v", o.findings)
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
