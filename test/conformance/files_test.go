// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"os"
	"testing"

	"github.com/trainyard/trainyard/test/conformance/cases"
	"github.com/trainyard/trainyard/test/conformance/check"
	"github.com/trainyard/trainyard/test/conformance/difference"
	"github.com/trainyard/trainyard/test/conformance/ours"
	"github.com/trainyard/trainyard/test/conformance/upstream"
)

const goldenFolder = "../../testdata/render"

// TestFolder compares the case files of a folder that DIR names: each holds
// TrainJobs and what stands beside them.
func TestFolder(t *testing.T) {
	folder := os.Getenv("DIR")
	if folder == "" {
		t.Skip("DIR names no folder")
	}
	given, err := cases.ReadFiles(folder)
	if err != nil || len(given) == 0 {
		t.Fatalf("no cases in %s: %v", folder, err)
	}
	judge := newJudge(t)
	for _, c := range given {
		t.Run(c.Name, func(t *testing.T) { compared(t, judge, c) })
	}
}

// compared fails the test where the renderer's answer is not the Trainer's.
func compared(t *testing.T, judge *upstream.Trainer, c cases.Case) check.Report {
	t.Helper()
	report, err := check.Check(t.Context(), judge, ours.Function, c)
	if err != nil {
		t.Error(err)
	}
	if len(report.Unexplained) > 0 {
		t.Errorf("\n%s", lines(report.Unexplained))
	}
	for _, rule := range difference.Rules {
		if n := report.Fired[rule.Name]; n > 0 {
			t.Logf("differs: %s", rule.Name)
		}
	}
	return report
}
