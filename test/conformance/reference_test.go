// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trainyard/trainyard/test/conformance/cases"
	"github.com/trainyard/trainyard/test/conformance/compare"
	"github.com/trainyard/trainyard/test/conformance/upstream"
)

var reference = flag.String("reference", "", "check the judge itself against a folder with cases/ and expected/")

// expected is what somebody else's run of the Trainer wrote down.
type expected struct {
	Errors, Warnings, UnknownFields []string
	Skipped                         bool
	RenderError                     string
	Objects                         []map[string]any
	Variants                        [][]map[string]any
}

// TestReference checks the judge: it has to say what another host of the
// Trainer said of the same cases.
func TestReference(t *testing.T) {
	if *reference == "" {
		t.Skip("no -reference folder given")
	}
	files, err := filepath.Glob(filepath.Join(*reference, "cases", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", *reference, err)
	}
	judge := newJudge(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) { checkReference(t, judge, file) })
	}
}

func checkReference(t *testing.T, judge *upstream.Trainer, file string) {
	wanted := readExpected(t, filepath.Join(*reference, "expected", filepath.Base(file)))
	given, err := cases.ReadFile(file)
	if err != nil || len(wanted) != len(given) {
		t.Fatalf("%d TrainJobs, but %d are expected: %v", len(given), len(wanted), err)
	}
	for i, c := range given {
		c = c.Clone()
		want := wanted[i]
		verdict, _, err := judge.Judge(t.Context(), c.TrainJob, c.Others)
		if err != nil {
			t.Fatal(err)
		}
		got := expected{Skipped: verdict.Skipped, RenderError: verdict.RenderError, Warnings: verdict.Warnings, UnknownFields: verdict.Unknown}
		for _, problem := range verdict.Errors {
			got.Errors = append(got.Errors, strings.TrimPrefix(problem.Object+": "+problem.Message, ": "))
		}
		compareExpected(t, want, got)
		compareVariants(t, want, tidied(verdict.Objects))
	}
}

// compareExpected compares all but the objects. The Trainer's plugins speak in
// a varying order.
func compareExpected(t *testing.T, want, got expected) {
	t.Helper()
	for _, list := range [][]string{want.Errors, got.Errors, want.Warnings, got.Warnings, want.UnknownFields, got.UnknownFields} {
		slices.Sort(list)
	}
	want.Objects, want.Variants = nil, nil
	if diff := cmp.Diff(want, got, emptyIsNil); diff != "" {
		t.Errorf("verdict (-expected +judge):\n%s", diff)
	}
}

func compareVariants(t *testing.T, want expected, got []map[string]any) {
	t.Helper()
	slices.SortFunc(got, byIdentity)
	var diffs []string
	for _, variant := range append([][]map[string]any{want.Objects}, want.Variants...) {
		diff := cmp.Diff(tidied(variant), got, emptyIsNil)
		if diff == "" {
			return
		}
		diffs = append(diffs, diff)
	}
	t.Errorf("objects (-expected +judge):\n%s", strings.Join(diffs, "\nor\n"))
}

func readExpected(t *testing.T, file string) []expected {
	t.Helper()
	documents, err := upstream.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]expected, len(documents))
	for i, document := range documents {
		if err := upstream.Convert(document, &all[i]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func tidied(objects []map[string]any) []map[string]any {
	var all []map[string]any
	for _, object := range objects {
		object = compare.Tidy(object)
		if object["kind"] == "Secret" {
			delete(object, "data") // keys are random
		}
		all = append(all, object)
	}
	return all
}

func byIdentity(a, b map[string]any) int {
	return strings.Compare(fmt.Sprint(a["kind"]), fmt.Sprint(b["kind"]))
}
