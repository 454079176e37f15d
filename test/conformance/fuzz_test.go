// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/test/conformance/cases"
	"github.com/trainyard/trainyard/test/conformance/generate"
	"github.com/trainyard/trainyard/test/conformance/ours"
	"github.com/trainyard/trainyard/test/conformance/upstream"
)

// seeds is how many generated pairs the fuzzers start from, beside the golden
// cases.
const seeds = 150

// FuzzRender wants no panic, one answer to one question, and a JobSet unless
// there is an error.
//
//	go test ./test/conformance -fuzz FuzzRender
func FuzzRender(f *testing.F) {
	for _, c := range corpus(f) {
		var runtime map[string]any
		if len(c.Others) > 0 {
			runtime = c.Others[0]
		}
		f.Add(asJSON(f, c.TrainJob), asJSON(f, runtime))
	}
	f.Fuzz(func(t *testing.T, trainJob, runtime []byte) {
		c, ok := pair(trainJob, runtime)
		if !ok {
			return
		}
		outcome, err := ours.Render(c.Clone())
		if err != nil {
			t.Fatal(err)
		}
		if rendered, refused := len(outcome.Objects) > 0, finding.Blocking(outcome.Findings); rendered == refused {
			t.Errorf("rendered: %t, refused: %t: %v", rendered, refused, outcome.Findings)
		}
		again, err := ours.Render(c)
		if err != nil || !reflect.DeepEqual(outcome, again) {
			t.Errorf("another rendering of the same differs: %v", err)
		}
	})
}

// FuzzTrainJob wants no panic of the decoder, and that it takes all that its
// schema takes.
//
//	go test ./test/conformance -fuzz FuzzTrainJob
func FuzzTrainJob(f *testing.F) {
	for _, c := range corpus(f) {
		f.Add(asJSON(f, c.TrainJob))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if object := decoded(text); isTrainJob(object) {
			if _, err := ours.Render(cases.Case{TrainJob: object}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// corpus is what the fuzzers start from.
func corpus(f *testing.F) []cases.Case {
	f.Helper()
	found, err := cases.ReadGolden(goldenFolder)
	if err != nil {
		f.Fatal(err)
	}
	builtin, err := upstream.ReadFolder("../../runtimes")
	if err != nil {
		f.Fatal(err)
	}
	generator := generate.New(uint64(*seed), builtin)
	for i := range seeds {
		found = append(found, generator.Case(i))
	}
	return found
}

func pair(trainJob, runtime []byte) (cases.Case, bool) {
	c := cases.Case{TrainJob: decoded(trainJob)}
	if !isTrainJob(c.TrainJob) {
		return c, false
	}
	if object := decoded(runtime); object != nil {
		c.Others = append(c.Others, object)
	}
	return c, true
}

// isTrainJob is how the function knows one among other objects.
func isTrainJob(object map[string]any) bool {
	return object["kind"] == "TrainJob" && object["apiVersion"] == "trainer.kubeflow.org/v1alpha1"
}

func decoded(text []byte) map[string]any {
	objects, err := upstream.Read(text)
	if err != nil || len(objects) != 1 {
		return nil
	}
	return objects[0]
}

func asJSON(f *testing.F, object map[string]any) []byte {
	f.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		f.Fatal(err)
	}
	return text
}
