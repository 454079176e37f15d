// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/internal/golden"
	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render"
)

// The list shows in review which defaults a new release brings.
func TestDefaultsAreListed(t *testing.T) {
	var lines []string
	for kind := range fileNames {
		walkDefaults(documentOf(kind), root, nil, func(at path, value any) {
			if value == "" {
				return // Go's types leave it out again
			}
			lines = append(lines, fmt.Sprintf("%s %s %s: %v\n", kind.apiVersion, kind.kind, strings.Join(at, "."), flow(value)))
		})
	}
	slices.Sort(lines)
	golden.File(t, "testdata/defaults.txt", []byte(strings.Join(slices.Compact(lines), "")))
}

// walkDefaults calls visit with each default within a definition; items of a
// list and values of a map are one step, written *.
func walkDefaults(d *document, name string, at path, visit func(path, any)) {
	whole, err := d.decode(name)
	if err != nil {
		panic(err)
	}
	walkSchema(d, whole, at, visit)
}

func walkSchema(d *document, schema map[string]any, at path, visit func(path, any)) {
	if value, has := schema["default"]; has {
		visit(at, value)
	}
	if name, is := schema[definitionKeyword].(string); is {
		walkDefaults(d, name, at, visit)
	}
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		walkSchema(d, properties[name].(map[string]any), at.with(name), visit)
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		if below, is := schema[keyword].(map[string]any); is {
			walkSchema(d, below, at.with("*"), visit)
		}
	}
}

// What an API server would fill in stands in what is rendered already, so that
// what is in git is what runs.
func TestRenderedJobSetsHaveTheirDefaults(t *testing.T) {
	golden.Cases(t, "../testdata/render", func(t *testing.T, folder string) {
		text := readIfThere(t, filepath.Join(folder, "jobset.yaml"))
		if text == nil {
			return
		}
		rendered, filledIn := decodeYAML(t, text), decodeYAML(t, text)
		fillIn(typeMeta{"jobset.x-k8s.io/v1alpha2", "JobSet"}, filledIn)
		if diff := cmp.Diff(rendered, filledIn); diff != "" {
			t.Errorf("defaults are missing (-rendered +filled in):\n%s", diff)
		}
	})
}

// A renderer has no API server before it: it must take an absent field for its
// default. So an input renders alike before and after a server has seen it.
func TestDefaultsOfInputsChangeNothing(t *testing.T) {
	golden.Cases(t, "../testdata/render", func(t *testing.T, folder string) {
		job, rt := &trainer.TrainJob{}, trainer.ClusterTrainingRuntime{}
		filledJob, filledRT := &trainer.TrainJob{}, trainer.ClusterTrainingRuntime{}
		defaulted(t, filepath.Join(folder, "trainjob.yaml"), job, filledJob)
		if !defaulted(t, filepath.Join(folder, "runtime.yaml"), &rt, &filledRT) {
			return // a built-in one, which has the same fields as another
		}
		filledJob.Spec.Suspend = job.Spec.Suspend // under a queue, written is not the same as absent
		var opts render.Options
		if err := yaml.Unmarshal(readIfThere(t, filepath.Join(folder, "options.yaml")), &opts); err != nil {
			t.Fatal(err)
		}
		want := render.Render(job, runtimeOf(rt), opts)
		got := render.Render(filledJob, runtimeOf(filledRT), opts)
		for _, result := range []render.Result{want, got} {
			if result.JobSet != nil { // they speak of the TrainJob as it is written
				delete(result.JobSet.Annotations, marks.SourceDigest)
				delete(result.JobSet.Annotations, marks.TrainJobSpec)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("with defaults filled in it renders otherwise (-without +with):\n%s", diff)
		}
	})
}

func runtimeOf(rt trainer.ClusterTrainingRuntime) render.Runtime {
	return render.Runtime{Kind: rt.Kind, Name: rt.Name, Labels: rt.Labels, Spec: rt.Spec}
}

// defaulted reads an object as it is written and with its defaults.
func defaulted[T any](t *testing.T, path string, written, filled *T) bool {
	t.Helper()
	given := readIfThere(t, path)
	if given == nil {
		return false
	}
	object := decodeYAML(t, given)
	if err := json.Unmarshal([]byte(flow(object)), written); err != nil {
		t.Fatal(err)
	}
	fillIn(typeMeta{text(object, "apiVersion"), text(object, "kind")}, object)
	if err := json.Unmarshal([]byte(flow(object)), filled); err != nil {
		t.Fatal(err)
	}
	return true
}

func readIfThere(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return text
}

func decodeYAML(t *testing.T, text []byte) map[string]any {
	t.Helper()
	object, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := decode(object)
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// fillIn sets the defaults within an object, as an API server does; an empty
// string is none, since Go's types leave it out again.
func fillIn(kind typeMeta, object map[string]any) {
	document := documentOf(kind)
	document.fillIn(document.whole(root), object)
}

func (d *document) fillIn(schema map[string]any, value any) {
	if name, is := schema[definitionKeyword].(string); is {
		schema = d.whole(name)
	}
	switch value := value.(type) {
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		for name, property := range properties {
			property := property.(map[string]any)
			if given := property["default"]; given != nil && given != "" && value[name] == nil {
				value[name] = given
			}
			d.fillIn(property, value[name])
		}
	case []any:
		items, _ := schema["items"].(map[string]any)
		for _, item := range value {
			d.fillIn(items, item)
		}
	}
}

func (d *document) whole(name string) map[string]any {
	whole, err := d.decode(name)
	if err != nil {
		panic(err)
	}
	return whole
}
