// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package finding

import (
	"cmp"
	"fmt"
	"slices"
)

// Severity says what a finding does to a run. The values are those of a KRM
// function's results.
type Severity string

// The severities, worst first.
const (
	Error   Severity = "error"   // nothing is rendered
	Warning Severity = "warning" // rendered; probably not what was meant
	Info    Severity = "info"    // rendered; worth knowing
)

// Position is where an object stands among the files that were read. Only the
// reader of the files knows it.
type Position struct {
	File  string `json:"file,omitempty"`  // path, relative to the package
	Index int    `json:"index,omitempty"` // of the object in its file, from 0
	Line  int    `json:"line,omitempty"`  // of the field, from 1; 0: not known
}

// Finding is something a person should know or mend.
type Finding struct {
	Severity Severity `json:"severity"`
	Rule     Rule     `json:"rule"`
	Object   Ref      `json:"object"`
	Field    string   `json:"field,omitempty"` // "spec.trainer.env[2].name"
	Message  string   `json:"message"`         // what is wrong, what was found, what to do
	Position Position `json:"position,omitzero"`
}

// Errorf returns a finding that blocks the rendering of its object.
func Errorf(rule Rule, field, format string, args ...any) Finding {
	return Finding{Severity: Error, Rule: rule, Field: field, Message: fmt.Sprintf(format, args...)}
}

// Warningf returns a finding that lets the object be rendered.
func Warningf(rule Rule, field, format string, args ...any) Finding {
	return Finding{Severity: Warning, Rule: rule, Field: field, Message: fmt.Sprintf(format, args...)}
}

// Infof returns a finding that nobody need act upon.
func Infof(rule Rule, field, format string, args ...any) Finding {
	return Finding{Severity: Info, Rule: rule, Field: field, Message: fmt.Sprintf(format, args...)}
}

// About names the object of each finding that names none yet.
func About(object Ref, findings []Finding) []Finding {
	about := slices.Clone(findings)
	for i := range about {
		if about[i].Object == (Ref{}) {
			about[i].Object = object
		}
	}
	return about
}

// Blocking reports whether one of the findings is an error.
func Blocking(findings []Finding) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Severity == Error })
}

// WorstFirst sorts errors before warnings before infos and keeps the order
// within each.
func WorstFirst(findings []Finding) []Finding {
	sorted := slices.Clone(findings)
	slices.SortStableFunc(sorted, func(a, b Finding) int {
		return cmp.Compare(rank(a.Severity), rank(b.Severity))
	})
	return sorted
}

func rank(s Severity) int {
	return slices.Index([]Severity{Error, Warning, Info}, s)
}
