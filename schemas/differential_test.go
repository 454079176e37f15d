// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/internal/jsontree"
	"github.com/trainyard/trainyard/render/finding"
)

// TestAValidatorFindsTheSame holds every object of testdata/schemas, and mutants
// of the valid ones, against a validator of JSON Schema that others wrote: it
// complains about the same places. Lists' keys and CRDs' rules, which it does not
// know, are left out.
func TestAValidatorFindsTheSame(t *testing.T) {
	paths, err := filepath.Glob("../testdata/schemas/*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	pairs := map[typeMeta]*bothWays{}
	compared := 0
	for _, path := range paths {
		tree := treeOf(t, path)
		kind := kindOf(&tree)
		if fileNames[kind] == "" {
			continue
		}
		if pairs[kind] == nil {
			pairs[kind] = newBothWays(t, kind)
		}
		both := pairs[kind]
		both.compare(t, path, &tree)
		if compared++; strings.HasPrefix(filepath.Base(path), "valid-") {
			compared += mutate(&tree, &tree, func() { both.compare(t, path, &tree) })
		}
	}
	if compared < 1000 {
		t.Errorf("only %d objects are compared", compared)
	}
	t.Logf("%d objects are compared", compared)
}

func treeOf(t *testing.T, path string) jsontree.Value {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	object, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := jsontree.Read(object)
	if err != nil {
		t.Fatal(err)
	}
	clean(&tree)
	return tree
}

// bothWays is one schema for either validator.
type bothWays struct {
	theirs *jsonschema.Schema
	ours   *document
}

func newBothWays(t *testing.T, kind typeMeta) *bothWays {
	t.Helper()
	text, err := files.ReadFile(fileNames[kind])
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	for name := range formats {
		compiler.Formats[name] = func(value any) bool {
			tree, err := jsontree.Read([]byte(flow(value)))
			return err != nil || hasFormat(&tree, name)
		}
	}
	if err := compiler.AddResource("schema.json", strings.NewReader(string(text))); err != nil {
		t.Fatal(err)
	}
	both := &bothWays{compiler.MustCompile("schema.json"), newDocument(fileNames[kind], text)}
	for name := range both.ours.texts {
		schema, err := both.ours.definition(name)
		if err != nil {
			t.Fatal(err)
		}
		withoutExtensions(schema)
	}
	return both
}

func withoutExtensions(schema *definition) {
	if schema == nil {
		return
	}
	schema.Rules, schema.ListType = nil, ""
	for _, property := range schema.Properties {
		withoutExtensions(property)
	}
	withoutExtensions(schema.Items)
	withoutExtensions(schema.AdditionalProperties.of)
}

func (b *bothWays) compare(t *testing.T, name string, object *jsontree.Value) {
	t.Helper()
	report := reporter{document: b.ours}
	report.check(&definition{Ref: refPrefix + root}, object)
	var got, want []string
	for _, found := range report.found {
		at := found.path
		if found.Rule == finding.UnknownField || found.Rule == finding.MissingField {
			at = at[:len(at)-1] // they speak of the object
		}
		got = append(got, pointer(at))
	}
	if invalid, is := errors.AsType[*jsonschema.ValidationError](b.theirs.Validate(object.Decoded())); is {
		want = leaves(invalid)
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(slices.Compact(want), slices.Compact(got)); diff != "" {
		t.Fatalf("%s: theirs -, ours +:\n%s\n%s", name, diff, object.AppendJSON(nil))
	}
}

func leaves(err *jsonschema.ValidationError) []string {
	if len(err.Causes) == 0 {
		return []string{err.InstanceLocation}
	}
	var all []string
	for _, cause := range err.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}

// pointer writes a path as that validator does.
func pointer(at path) string {
	var text string
	for _, step := range at {
		text += "/" + url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(step))
	}
	return text
}

// mutate puts odd values in place of each value within the tree, one at a time,
// leaves each away, and adds a field that nobody knows. It returns how many there
// were.
func mutate(root, value *jsontree.Value, try func()) int {
	mutants, whole := 0, *value
	put := func(odd jsontree.Value) {
		odd.Key = whole.Key
		*value = odd
		try()
		*value = whole
		mutants++
	}
	if value != root {
		for _, odd := range oddValues {
			put(odd)
		}
	}
	if whole.Kind == jsontree.Object {
		put(jsontree.Value{Kind: jsontree.Object, Items: append(slices.Clone(whole.Items), jsontree.Value{Kind: jsontree.Null, Key: "x/y"})})
	}
	for i := range whole.Items {
		put(jsontree.Value{Kind: whole.Kind, Items: slices.Delete(slices.Clone(whole.Items), i, i+1)})
		mutants += mutate(root, &value.Items[i], try)
	}
	return mutants
}

var oddValues = []jsontree.Value{
	{Kind: jsontree.String}, {Kind: jsontree.String, Text: "é_x"}, {Kind: jsontree.String, Text: strings.Repeat("long", 100)},
	{Kind: jsontree.Bool, Text: "true"}, {Kind: jsontree.Null},
	{Kind: jsontree.Number, Text: "0"}, {Kind: jsontree.Number, Text: "-1"}, {Kind: jsontree.Number, Text: "1.5"},
	{Kind: jsontree.Number, Text: "2.0"}, {Kind: jsontree.Number, Text: "-1e1"}, {Kind: jsontree.Number, Text: "4294967296"},
	{Kind: jsontree.List}, {Kind: jsontree.Object},
	{Kind: jsontree.List, Items: slices.Repeat([]jsontree.Value{{Kind: jsontree.String, Text: "a"}}, 200)},
	{Kind: jsontree.Object, Items: []jsontree.Value{{Kind: jsontree.String, Key: "-", Text: "-"}}},
}
