// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

func TestAnnotatedChangesNothingElse(t *testing.T) {
	set := map[string]string{"b/x": "true", "a": "Skip"}
	tests := map[string]struct{ in, want string }{
		"below name and namespace": {
			"# head\nkind: A\nmetadata: # m\n    name: a # n\n    namespace: b\n    labels: {x: y}\nspec: {}\n",
			"# head\nkind: A\nmetadata: # m\n    name: a # n\n    namespace: b\n    annotations:\n      a: Skip\n      b/x: \"true\"\n    labels: {x: y}\nspec: {}\n",
		},
		"below the key annotations": {
			"metadata:\n  annotations:\n    # why\n    note: |\n      a\n      b\n  name: a\n",
			"metadata:\n  annotations:\n    a: Skip\n    b/x: \"true\"\n    # why\n    note: |\n      a\n      b\n  name: a\n",
		},
		"one is there": {
			"metadata:\n  name: a\n  annotations:\n    a: 'Skip'\n",
			"metadata:\n  name: a\n  annotations:\n    b/x: \"true\"\n    a: 'Skip'\n",
		},
		"both are there": {
			"metadata: {name: a, annotations: {a: Skip, b/x: \"true\"}}\n",
			"metadata: {name: a, annotations: {a: Skip, b/x: \"true\"}}\n",
		},
		"flow style is written anew": {
			"metadata: {name: a}\n",
			"metadata: {name: a, annotations: {a: 'Skip', b/x: 'true'}}\n",
		},
		"annotations in flow style": {
			"metadata:\n  name: a\n  annotations: {c: d}\n",
			"metadata:\n  name: a\n  annotations: {c: d, a: 'Skip', b/x: 'true'}\n",
		},
		"no annotations yet": {
			"metadata:\n  name: a\n  annotations:\n",
			"metadata:\n  name: a\n  annotations:\n    a: 'Skip'\n    b/x: 'true'\n",
		},
		"another value": {
			"metadata:\n  name: a\n  annotations:\n    a: Sync\n",
			"metadata:\n  name: a\n  annotations:\n    a: Skip\n    b/x: 'true'\n",
		},
		"no metadata": {
			"kind: A\n",
			"kind: A\nmetadata:\n  annotations:\n    a: 'Skip'\n    b/x: 'true'\n",
		},
		"JSON on one line": {
			`{"kind":"A","metadata":{"name":"a"},"x":"a && b"}` + "\n",
			`{"kind":"A","metadata":{"annotations":{"a":"Skip","b/x":"true"},"name":"a"},"x":"a && b"}` + "\n",
		},
		"JSON with blanks": {
			`{"metadata": {"name": "ä", "annotations": {"c": "d"}}}` + "\n",
			`{"metadata": {"name": "ä", "annotations": {"a": "Skip", "b/x": "true", "c": "d"}}}` + "\n",
		},
		"JSON in lines": {
			"{\n  \"metadata\": {\n    \"name\": \"a\"\n  },\n  \"x\": [1, 2]\n}\n",
			"{\n  \"metadata\": {\n    \"annotations\": {\n      \"a\": \"Skip\",\n      \"b/x\": \"true\"\n    },\n    \"name\": \"a\"\n  },\n  \"x\": [1, 2]\n}\n",
		},
		"JSON in lines, with annotations": {
			"{\n  \"metadata\": {\n    \"annotations\": {\n      \"c\": \"d\"\n    }\n  }\n}\n",
			"{\n  \"metadata\": {\n    \"annotations\": {\n      \"a\": \"Skip\",\n      \"b/x\": \"true\",\n      \"c\": \"d\"\n    }\n  }\n}\n",
		},
		"JSON with another value": {
			`{"metadata":{"annotations":{"a":"Sync"}}}` + "\n",
			`{"metadata":{"annotations":{"a":"Skip","b/x":"true"}}}` + "\n",
		},
		"JSON in lines with empty annotations": {
			"{\n  \"metadata\": {\n    \"annotations\": {}\n  }\n}\n",
			"{\n  \"metadata\": {\n    \"annotations\": {\n      \"a\": \"Skip\",\n      \"b/x\": \"true\"\n    }\n  }\n}\n",
		},
		"JSON without metadata": {
			`{"kind":"A"}` + "\n",
			`{"kind":"A","metadata":{"annotations":{"a":"Skip","b/x":"true"}}}` + "\n",
		},
		"a name of two lines": {
			"metadata:\n  name:\n    a\n",
			"metadata:\n  name:\n    a\n  annotations:\n    a: Skip\n    b/x: \"true\"\n",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			item := resourcelist.New(finding.Ref{}, []byte(test.in))
			once := Annotated(item, set)
			if diff := cmp.Diff(test.want, string(once.Text())); diff != "" {
				t.Error(diff)
			}
			if twice := Annotated(once, set); twice != once {
				t.Errorf("a second time gives another item: %s", twice.Text())
			}
			if string(item.Text()) != test.in {
				t.Error("the item itself was changed")
			}
		})
	}
}
