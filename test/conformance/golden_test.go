// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/internal/golden"
	"github.com/trainyard/trainyard/test/conformance/cases"
	"github.com/trainyard/trainyard/test/conformance/check"
	"github.com/trainyard/trainyard/test/conformance/compare"
	"github.com/trainyard/trainyard/test/conformance/difference"
	"github.com/trainyard/trainyard/test/conformance/upstream"
)

// TestGolden compares every golden case of the renderer. Where the two differ
// on purpose upstream.yaml beside the case holds what the Trainer does, and
// docs/differences.md lists all of it.
func TestGolden(t *testing.T) {
	given, err := cases.ReadGolden(goldenFolder)
	if err != nil || len(given) == 0 {
		t.Fatalf("no cases in %s: %v", goldenFolder, err)
	}
	judge := newJudge(t)
	shownBy := map[string][]string{} // rule to cases
	for _, c := range given {
		t.Run(c.Name, func(t *testing.T) {
			report := compared(t, judge, c)
			rules := firedIn(report)
			for _, rule := range rules {
				if rule.Elsewhere != "" {
					continue
				}
				shownBy[rule.Name] = append(shownBy[rule.Name], c.Name)
			}
			golden.File(t, filepath.Join(goldenFolder, c.Name, "upstream.yaml"), upstreamFile(t, judge, c, report, rules))
		})
	}
	for _, rule := range difference.Rules {
		if rule.Elsewhere == "" && len(shownBy[rule.Name]) == 0 {
			t.Errorf("no golden case shows the rule %s", rule.Name)
		}
	}
	golden.File(t, "../../docs/differences.md", []byte(document(shownBy)))
}

func firedIn(report check.Report) []difference.Rule {
	return slices.DeleteFunc(slices.Clone(difference.Rules), func(rule difference.Rule) bool {
		return report.Fired[rule.Name] == 0
	})
}

// upstreamFile is what the Trainer makes of a case, if it is something else.
func upstreamFile(t *testing.T, judge *upstream.Trainer, c cases.Case, report check.Report, rules []difference.Rule) []byte {
	var text strings.Builder
	for _, rule := range rules {
		if !rule.Everywhere {
			fmt.Fprintf(&text, "# %s: %s, since %s.\n", rule.Name, rule.Here, rule.Reason)
		}
	}
	if text.Len() == 0 {
		return nil
	}
	asked := 0
	if slices.ContainsFunc(rules, func(rule difference.Rule) bool { return rule.Random }) {
		asked = 100
	}
	for i, document := range steady(t, judge, c, report.Trainer, asked) {
		if i > 0 {
			text.WriteString("---\n")
		}
		text.WriteString(document)
	}
	return []byte(text.String())
}

// steady is the Trainer's answer as documents: of those that it gives at random
// the first by its text.
func steady(t *testing.T, judge *upstream.Trainer, c cases.Case, verdict upstream.Verdict, asked int) []string {
	answers := [][]string{documents(t, verdict)}
	for range asked {
		again := c.Clone()
		verdict, _, err := judge.Judge(t.Context(), again.TrainJob, again.Others)
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, documents(t, verdict))
	}
	return slices.MinFunc(answers, slices.Compare[[]string])
}

func documents(t *testing.T, v upstream.Verdict) []string {
	t.Helper()
	if v.Refused() || v.Skipped || v.RenderError != "" {
		answer := map[string]any{}
		switch {
		case v.Skipped:
			answer["skipped"] = true
		case v.Refused():
			answer["refused"] = messages(v.Errors)
		default:
			answer["fails"] = true // the words hold an address of the process
		}
		return []string{asYAML(t, answer)}
	}
	var all []string
	for _, object := range v.Objects {
		if object["kind"] == "Secret" {
			continue
		}
		object = compare.Tidy(object)
		delete(object["metadata"].(map[string]any), "ownerReferences")
		sortVariables(object)
		all = append(all, asYAML(t, object))
	}
	slices.Sort(all)
	return all
}

func messages(problems []upstream.Problem) []string {
	var all []string
	for _, p := range problems {
		all = append(all, strings.TrimPrefix(p.Object+": "+p.Message, ": "))
	}
	slices.Sort(all)
	return all
}

// sortVariables puts XGBoost's variables in one order; the Trainer's varies
// from start to start.
func sortVariables(jobSet map[string]any) {
	compare.Containers(jobSet, func(_ string, container map[string]any) {
		variables, _ := container["env"].([]any)
		named := func(v any) string { return fmt.Sprint(v.(map[string]any)["name"]) }
		if slices.ContainsFunc(variables, func(v any) bool { return strings.HasPrefix(named(v), "DMLC_") }) {
			slices.SortFunc(variables, func(a, b any) int { return strings.Compare(named(a), named(b)) })
		}
	})
}

func asYAML(t *testing.T, value any) string {
	t.Helper()
	text, err := yaml.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
