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
	"github.com/trainyard/trainyard/internal/jsontree"
	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render"
)

// The list shows in review which defaults a new release brings.
func TestDefaultsAreListed(t *testing.T) {
	var lines []string
	for kind := range fileNames {
		walkDefaults(documentOf(kind), &definition{Ref: refPrefix + root}, nil, func(at path, value *jsontree.Value) {
			if value.Text == "" {
				return // Go's types leave it out again
			}
			lines = append(lines, fmt.Sprintf("%s %s %s: %s\n", kind.apiVersion, kind.kind, strings.Join(at, "."), value.AppendJSON(nil)))
		})
	}
	slices.Sort(lines)
	golden.File(t, "testdata/defaults.txt", []byte(strings.Join(slices.Compact(lines), "")))
}

// walkDefaults calls visit with each default within a definition; items of a
// list and values of a map are one step, written *.
func walkDefaults(d *document, schema *definition, at path, visit func(path, *jsontree.Value)) {
	if schema == nil {
		return
	}
	if schema.Default.Kind != jsontree.Missing {
		visit(at, &schema.Default.Value)
	}
	schema = d.followed(schema)
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		walkDefaults(d, schema.Properties[name], append(slices.Clone(at), name), visit)
	}
	walkDefaults(d, schema.Items, append(slices.Clone(at), "*"), visit)
	walkDefaults(d, schema.AdditionalProperties.of, append(slices.Clone(at), "*"), visit)
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
	fillIn(kindIn(object), object)
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
	return decode(t, object)
}

func decode(t *testing.T, object []byte) map[string]any {
	t.Helper()
	tree, err := jsontree.Read(object)
	if err != nil {
		t.Fatal(err)
	}
	return tree.Decoded().(map[string]any)
}

func kindIn(object map[string]any) typeMeta {
	return typeMeta{object["apiVersion"].(string), object["kind"].(string)}
}

// fillIn sets the defaults within an object, as an API server does; an empty
// string is none, since Go's types leave it out again.
func fillIn(kind typeMeta, object map[string]any) {
	documentOf(kind).fillIn(&definition{Ref: refPrefix + root}, object)
}

func (d *document) fillIn(schema *definition, value any) {
	if schema == nil {
		return
	}
	schema = d.followed(schema)
	switch value := value.(type) {
	case map[string]any:
		for name, property := range schema.Properties {
			if given := property.Default; given.Text != "" && value[name] == nil {
				value[name] = given.Decoded()
			}
			d.fillIn(property, value[name])
		}
	case []any:
		for _, item := range value {
			d.fillIn(schema.Items, item)
		}
	}
}

func (d *document) followed(schema *definition) *definition {
	whole, err := d.follow(schema)
	if err != nil {
		panic(err)
	}
	return whole
}
