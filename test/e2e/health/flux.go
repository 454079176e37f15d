// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package health

import (
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"
)

// Expressions are one entry of a Flux Kustomization's healthCheckExprs.
type Expressions struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	InProgress string `json:"inProgress,omitempty"`
	Failed     string `json:"failed,omitempty"`
	Current    string `json:"current"`
}

// Flux judges an object in Flux's order. Unknown means that an expression
// names a field that the object lacks: Flux asks again until its timeout.
func Flux(e Expressions, object map[string]any) (string, error) {
	for _, ask := range []struct{ expression, status string }{
		{e.InProgress, "InProgress"}, {e.Failed, "Failed"}, {e.Current, "Current"},
	} {
		if ask.expression == "" {
			continue
		}
		program, err := compile(ask.expression)
		if err != nil {
			return "", err
		}
		answer, _, err := program.Eval(object)
		if err != nil {
			return "Unknown", nil //nolint:nilerr // that is what Flux makes of it
		}
		if answer == types.True {
			return ask.status, nil
		}
	}
	return "InProgress", nil
}

// compile parses only: Flux cannot know an object's fields either.
func compile(expression string) (cel.Program, error) {
	env, err := cel.NewEnv(cel.HomogeneousAggregateLiterals(), cel.CrossTypeNumericComparisons(true),
		cel.OptionalTypes(), ext.Strings(), ext.Sets(), ext.Encoders())
	if err != nil {
		return nil, err
	}
	parsed, issues := env.Parse(expression)
	if issues.Err() != nil {
		return nil, fmt.Errorf("parse %q: %w", expression, issues.Err())
	}
	return env.Program(parsed)
}
