// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/internal/golden"
	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/runtimes"
)

// renders is how often each case is rendered to see that one result comes out.
const renders = 20

// TestRender holds every case of testdata/render against what it wants. A case
// is a folder: trainjob.yaml, runtime.yaml (absent: the built-in one that the
// TrainJob names) and options.yaml are given; jobset.yaml, companions.yaml and
// findings.yaml are wanted, and absent where there are none.
func TestRender(t *testing.T) {
	golden.Cases(t, "../testdata/render", func(t *testing.T, folder string) {
		job, rt, opts := given(t, folder)
		before, beforeRT := job.DeepCopy(), rt.Spec.DeepCopy()
		got := encode(t, render.Render(job, rt, opts))
		for range renders - 1 {
			if again := encode(t, render.Render(job, rt, opts)); again != got {
				t.Fatalf("another rendering of the same case differs:\n%s", cmp.Diff(got, again))
			}
		}
		if diff := cmp.Diff(before, job) + cmp.Diff(beforeRT, &rt.Spec); diff != "" {
			t.Errorf("the input was changed:\n%s", diff)
		}
		golden.File(t, filepath.Join(folder, "jobset.yaml"), []byte(got.JobSet))
		golden.File(t, filepath.Join(folder, "companions.yaml"), []byte(got.Companions))
		golden.File(t, filepath.Join(folder, "findings.yaml"), []byte(got.Findings))
	})
}

// encoded is a result as the files that hold it.
type encoded struct {
	JobSet, Companions, Findings string
}

func encode(t *testing.T, r render.Result) encoded {
	t.Helper()
	if finding.Blocking(r.Findings) != (r.JobSet == nil) {
		t.Errorf("a JobSet comes out if and only if no finding is an error; JobSet: %t, findings: %v", r.JobSet != nil, r.Findings)
	}
	var e encoded
	if r.JobSet != nil {
		e.JobSet = toYAML(t, r.JobSet)
	}
	e.Companions = documents(t, r.Companions)
	e.Findings = documents(t, r.Findings)
	return e
}

func documents[T any](t *testing.T, objects []T) string {
	t.Helper()
	var texts []string
	for _, object := range objects {
		texts = append(texts, toYAML(t, object))
	}
	return strings.Join(texts, "---\n")
}

func toYAML[T any](t *testing.T, object T) string {
	t.Helper()
	var document bytes.Buffer
	encoder := json.NewEncoder(&document)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(object); err != nil {
		t.Fatalf("encode: %v", err)
	}
	return string(manifest.YAML(document.Bytes()))
}

func given(t testing.TB, folder string) (*trainer.TrainJob, render.Runtime, render.Options) {
	t.Helper()
	job := &trainer.TrainJob{}
	read(t, filepath.Join(folder, "trainjob.yaml"), job)
	var opts render.Options
	if path := filepath.Join(folder, "options.yaml"); exists(path) {
		read(t, path, &opts)
	}
	if path := filepath.Join(folder, "runtime.yaml"); exists(path) {
		var rt trainer.ClusterTrainingRuntime // both kinds have its shape
		read(t, path, &rt)
		return job, render.Runtime{Kind: rt.Kind, Name: rt.Name, Labels: rt.Labels, Spec: rt.Spec}, opts
	}
	rt, ok := runtimes.Builtin().Resolve(job.Spec.RuntimeRef, job.Namespace)
	if !ok {
		t.Fatalf("the case has no runtime.yaml, and %q is not built in", job.Spec.RuntimeRef.Name)
	}
	return job, rt.Runtime, opts
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func read[T any](t testing.TB, path string, into *T) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("read the case: %v", err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
}
