// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/test/conformance/cases"
	"github.com/trainyard/trainyard/test/conformance/difference"
	"github.com/trainyard/trainyard/test/conformance/ours"
	"github.com/trainyard/trainyard/test/conformance/upstream"
)

// compareVerdicts wants a finding for each problem that the Trainer has, and a
// problem or a rule for each finding that is an error.
func (r *Report) compareVerdicts(problems []upstream.Problem, given *difference.Given, outcome ours.Outcome) {
	for _, p := range reached(problems, outcome) {
		if !slices.ContainsFunc(outcome.Findings, func(f finding.Finding) bool { return answers(f, p) }) {
			r.unexplained("only the Trainer refuses: %s %s", p.Object, p.Message)
		}
	}
	if given == nil {
		return // the API server stops at the first object that it refuses
	}
	for _, f := range outcome.Findings {
		if f.Severity == finding.Error && !r.explained(f, problems, given) {
			r.unexplained("only the renderer refuses: %s %s: %s (%s)", f.Object.Kind, f.Field, f.Message, f.Rule)
		}
	}
}

// compareWarnings: the Trainer's webhook knows one, of a runtime that goes away.
func (r *Report) compareWarnings(verdict upstream.Verdict, outcome ours.Outcome) {
	warned := slices.ContainsFunc(verdict.Warnings, func(w string) bool { return strings.HasPrefix(w, "Referenced ") })
	found := slices.ContainsFunc(outcome.Findings, func(f finding.Finding) bool { return f.Rule == finding.RuntimeDeprecated })
	if warned && !found && !outcome.Unfinished {
		r.unexplained("only the Trainer warns of the deprecated runtime")
	}
}

// reached are the problems of which the renderer has to know. kubectl asks no
// further when it does not know a field, and the renderer when an object has
// not the right shape.
func reached(problems []upstream.Problem, outcome ours.Outcome) []upstream.Problem {
	last := upstream.Rendering
	if outcome.Unfinished {
		last = upstream.Validation
	}
	if slices.ContainsFunc(problems, func(p upstream.Problem) bool { return p.Stage == upstream.Decoding }) {
		last = upstream.Decoding
	}
	var known []upstream.Problem
	for _, p := range problems {
		if p.Stage <= last {
			known = append(known, p)
		}
	}
	return known
}

// problemsOf are the reasons for which kubectl, the API server, a webhook or
// the controller get no further.
func problemsOf(v upstream.Verdict) []upstream.Problem {
	problems := slices.Clone(v.Errors)
	for _, field := range v.Unknown {
		problems = append(problems, upstream.Problem{Stage: upstream.Decoding, Object: anyObject, Field: field, Message: "unknown field " + field})
	}
	if v.RenderError != "" {
		problems = append(problems, upstream.Problem{Stage: upstream.Rendering, Object: anyObject, Message: "rendering: " + v.RenderError})
	}
	return problems
}

// ofOthers leaves out what the webhooks have against a runtime that the
// TrainJob does not name: nobody asked for it.
func ofOthers(c cases.Case, problems []upstream.Problem) []upstream.Problem {
	spec, _ := c.TrainJob["spec"].(object)
	ref, _ := spec["runtimeRef"].(object)
	kind, named := ref["kind"]
	if !named {
		kind = trainer.ClusterTrainingRuntimeKind
	}
	asked := fmt.Sprintf("%v/%v", kind, ref["name"])
	return slices.DeleteFunc(problems, func(p upstream.Problem) bool {
		onRuntime := strings.Contains(p.Object, "/")
		return p.Stage == upstream.Admission && onRuntime && p.Object != asked
	})
}

// unforgiven are the problems that no rule takes for none.
func (r *Report) unforgiven(c cases.Case, problems []upstream.Problem) []upstream.Problem {
	return slices.DeleteFunc(problems, func(p upstream.Problem) bool {
		for _, rule := range difference.Rules {
			if rule.Forgives != nil && rule.Forgives(c, p) {
				r.Fired[rule.Name]++
				return true
			}
		}
		return false
	})
}

// ofStage are the problems of the webhooks, or the others.
func ofStage(problems []upstream.Problem, admission bool) []upstream.Problem {
	var chosen []upstream.Problem
	for _, p := range problems {
		if (p.Stage == upstream.Admission) == admission {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// anyObject stands for one that the Trainer does not name.
const anyObject = "*"

func (r *Report) explained(f finding.Finding, problems []upstream.Problem, given *difference.Given) bool {
	if slices.ContainsFunc(problems, func(p upstream.Problem) bool { return answers(f, p) }) {
		return true
	}
	for _, rule := range difference.Rules {
		if rule.Refuses != nil && given != nil && rule.Refuses(*given, f) {
			r.Fired[rule.Name]++
			return true
		}
	}
	return false
}

// answers: the finding stands where the problem is.
func answers(f finding.Finding, p upstream.Problem) bool {
	if p.Object != anyObject && p.Object != objectOf(f) {
		return false
	}
	if strings.HasPrefix(p.Field, "spec.templateSpec.priorityClassName") {
		return f.Rule == finding.PriorityClassUnknown
	}
	if f.Severity != finding.Error {
		return false
	}
	fields := fieldsOf(p)
	return len(fields) == 0 || slices.ContainsFunc(fields, func(field string) bool { return sameField(field, f.Field) })
}

func objectOf(f finding.Finding) string {
	if f.Object.Kind == "TrainJob" {
		return ""
	}
	return f.Object.Kind + "/" + f.Object.Name
}

var (
	quotedField = regexp.MustCompile(`"((?:spec|metadata)[^"\s]*)" must validate`)
	embedded    = regexp.MustCompile(`\.[A-Z]\w*`) // a Go type in the path of a field
	goField     = regexp.MustCompile(`Go struct field \w+\.((?:spec|metadata)\S*) of type`)
	inField     = regexp.MustCompile(` in ((?:spec|metadata)\S*)$`)
)

// fieldsOf are the fields of a problem in the user's own terms. None: the
// Trainer does not say.
func fieldsOf(p upstream.Problem) []string {
	switch {
	case p.Field == "spec.RuntimeRef":
		return []string{"spec.runtimeRef"}
	case strings.HasPrefix(p.Message, "unsupported runtime"):
		return []string{"spec.runtimeRef"}
	case strings.HasPrefix(p.Field, "spec.annotations"):
		return []string{"metadata" + strings.TrimPrefix(p.Field, "spec")}
	case p.Field != "<nil>" && p.Field != "":
		return []string{p.Field}
	case strings.HasSuffix(p.Field, "<nil>") && strings.Contains(p.Message, "metadata.name"):
		return []string{"metadata.name"}
	}
	for _, pattern := range []*regexp.Regexp{quotedField, inField, goField} {
		if found := pattern.FindStringSubmatch(p.Message); found != nil {
			return []string{embedded.ReplaceAllString(found[1], "")}
		}
	}
	return nil
}

// sameField: one of the two leads to the other, where an index that only one
// of them has counts for nothing.
func sameField(a, b string) bool {
	left, right := segments(a), segments(b)
	for len(left) > 0 && len(right) > 0 {
		l, r := left[0], right[0]
		switch {
		case l == r:
			left, right = left[1:], right[1:]
		case isIndex(l) && !isIndex(r):
			left = left[1:]
		case isIndex(r) && !isIndex(l):
			right = right[1:]
		default:
			return false
		}
	}
	return true
}

var segment = regexp.MustCompile(`\[[^\]]*\]|[^.\[]+`)

func segments(field string) []string { return segment.FindAllString(field, -1) }

func isIndex(segment string) bool { return strings.HasPrefix(segment, "[") }
