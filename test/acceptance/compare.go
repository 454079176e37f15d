// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"context"
	"fmt"
	"slices"

	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/accept"
	"github.com/trainyard/trainyard/render/finding"
)

// Differences says where accept.Check and the cluster judge the JobSet
// differently, and what; empty: nowhere.
func (j *Judge) Differences(ctx context.Context, js *jobset.JobSet) ([]string, error) {
	verdict, err := j.Verdict(ctx, js)
	if err != nil {
		return nil, err
	}
	findings := slices.DeleteFunc(accept.Check(js), func(f finding.Finding) bool { return f.Severity != finding.Error })
	var differences []string
	for _, r := range verdict.Rest {
		if !r.Echo && !slices.ContainsFunc(findings, func(f finding.Finding) bool { return r.at(f.Field) }) {
			differences = append(differences, fmt.Sprintf("the cluster refuses, Check does not: %s: %s", r.Field, r.Message))
		}
	}
	refusals := slices.Concat(verdict.Schema, verdict.Rest)
	for _, f := range findings {
		if !slices.ContainsFunc(refusals, func(r Refusal) bool { return r.at(f.Field) }) {
			differences = append(differences, fmt.Sprintf("Check refuses, the cluster does not: %s: %s (%s)", f.Field, f.Message, f.Rule))
		}
	}
	return differences, nil
}
