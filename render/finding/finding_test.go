// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package finding_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trainyard/trainyard/render/finding"
)

func TestWorstFirst(t *testing.T) {
	given := []finding.Finding{
		finding.Infof(finding.NoResources, "", "a"),
		finding.Errorf(finding.NodeCount, "", "b"),
		finding.Warningf(finding.NoEffect, "", "c"),
		finding.Errorf(finding.ReservedEnv, "", "d"),
	}
	var order string
	for _, f := range finding.WorstFirst(given) {
		order += f.Message
	}
	if order != "bdca" {
		t.Errorf("the order is %s; wanted bdca: the worst first, else as given", order)
	}
	if given[0].Message != "a" {
		t.Error("the given slice was sorted")
	}
}

func TestAboutKeepsTheObjectOfAFinding(t *testing.T) {
	own, other := finding.Ref{Kind: "TrainJob", Name: "own"}, finding.Ref{Kind: "JobSet", Name: "other"}
	got := finding.About(other, []finding.Finding{{Object: own}, {}})
	want := []finding.Finding{{Object: own}, {Object: other}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("wanted -, got +:\n%s", diff)
	}
}
