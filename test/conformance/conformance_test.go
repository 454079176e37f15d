// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/trainyard/trainyard/test/conformance/upstream"
)

var emptyIsNil = cmpopts.EquateEmpty()

func newJudge(t testing.TB) *upstream.Trainer {
	t.Helper()
	judge, err := upstream.New(t.Context(), "../../runtimes")
	if err != nil {
		t.Fatal(err)
	}
	return judge
}

// testCase is one TrainJob with the objects that stand beside it.
type testCase struct {
	TrainJob map[string]any
	Others   []map[string]any
}

// readCases reads a file that holds TrainJobs and their runtimes.
func readCases(t testing.TB, file string) []testCase {
	t.Helper()
	objects, err := upstream.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []testCase
	var others []map[string]any
	for _, object := range objects {
		if object["kind"] == "TrainJob" {
			cases = append(cases, testCase{TrainJob: object})
		} else {
			others = append(others, object)
		}
	}
	for i := range cases {
		cases[i].Others = others
	}
	return cases
}

func convert(from, into any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func tidyAll(objects []map[string]any) []map[string]any {
	var tidied []map[string]any
	for _, object := range objects {
		kept, _ := tidy(clone(object)).(map[string]any)
		if kept["kind"] == "Secret" {
			delete(kept, "data")
		}
		tidied = append(tidied, kept)
	}
	return tidied
}

// tidy takes away what is empty.
func tidy(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			if value[key] = tidy(inner); value[key] == nil {
				delete(value, key)
			}
		}
		if len(value) == 0 {
			return nil
		}
		return value
	case []any:
		for i := range value {
			value[i] = tidy(value[i])
		}
		if len(value) == 0 {
			return nil
		}
		return value
	default:
		return value
	}
}
