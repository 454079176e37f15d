// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package compare_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trainyard/trainyard/test/conformance/compare"
)

func TestObjects(t *testing.T) {
	type object = map[string]any
	named := func(name, value string) object { return object{"name": name, "value": value} }
	for name, c := range map[string]struct {
		want, got object
		found     []string
	}{
		"alike":              {object{"a": "1"}, object{"a": "1"}, nil},
		"nothing is absent":  {object{"a": "1", "b": object{}}, object{"a": "1", "b": nil, "c": []any{}}, nil},
		"another value":      {object{"a": "1"}, object{"a": "2"}, []string{`a: wanted "1", got "2"`}},
		"lost":               {object{"a": object{"b": "1"}, "k": 1}, object{"k": 1}, []string{`a: wanted {"b":"1"}, got nothing`}},
		"too much":           {object{"k": 1}, object{"a": "1", "k": 1}, []string{`a: wanted nothing, got "1"`}},
		"another length":     {object{"a": []any{"1"}}, object{"a": []any{"1", "2"}}, []string{`a[1]: wanted nothing, got "2"`}},
		"variables by name":  {object{"env": []any{named("A", "1"), named("B", "2")}}, object{"env": []any{named("B", "2"), named("A", "1")}}, nil},
		"a variable differs": {object{"env": []any{named("A", "1")}}, object{"env": []any{named("A", "2")}}, []string{`env.A.value: wanted "1", got "2"`}},
		"number and text":    {object{"a": 1}, object{"a": "1"}, []string{`a: wanted 1, got "1"`}},
	} {
		t.Run(name, func(t *testing.T) {
			var found []string
			for _, d := range compare.Objects(compare.Tidy(c.want), compare.Tidy(c.got)) {
				found = append(found, d.String())
			}
			if diff := cmp.Diff(c.found, found); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnresolved(t *testing.T) {
	variable := func(name, value string) any { return map[string]any{"name": name, "value": value} }
	jobSet := func(env ...any) map[string]any {
		container := map[string]any{"name": "node", "env": env}
		job := map[string]any{"name": "job"}
		inner := job
		for _, field := range []string{"template", "spec", "template", "spec"} {
			next := map[string]any{}
			inner[field], inner = next, next
		}
		inner["containers"] = []any{container}
		return map[string]any{"spec": map[string]any{"replicatedJobs": []any{job}}}
	}
	for name, c := range map[string]struct {
		env   []any
		found []string
	}{
		"defined before": {[]any{variable("A", "1"), variable("B", "$(A)")}, nil},
		"defined after":  {[]any{variable("B", "$(A)"), variable("A", "1")}, []string{"job node: $(A)"}},
		"defined never":  {[]any{variable("B", "$(A)")}, nil},
		"escaped":        {[]any{variable("B", "$$(A)"), variable("A", "1")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.found, compare.Unresolved(jobSet(c.env...))); diff != "" {
				t.Error(diff)
			}
		})
	}
}
