// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package ours

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/fn"
	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/test/conformance/cases"
)

// Function renders a case by the KRM function, with all that stands beside the
// TrainJob in its list.
func Function(c cases.Case) (Outcome, error) {
	list, err := json.Marshal(map[string]any{
		"apiVersion":     "config.kubernetes.io/v1",
		"kind":           "ResourceList",
		"items":          append(slices.Clone(c.Others), c.TrainJob),
		"functionConfig": map[string]any{"apiVersion": "trainyard.dev/v1alpha1", "kind": "RenderTrainJob", "metadata": map[string]any{"name": "c"}, "spec": map[string]any{"builtinRuntimes": true}},
	})
	if err != nil {
		return Outcome{}, err
	}
	_, out := fn.Run(list)
	o := Outcome{Findings: out.Findings, Unfinished: slices.ContainsFunc(out.Findings, endsEarly)}
	if finding.Blocking(out.Findings) {
		return o, nil
	}
	for _, item := range out.Items {
		if item.Label(marks.TrainJob) == "" {
			continue
		}
		var object map[string]any
		if err := yaml.Unmarshal(item.Text(), &object); err != nil {
			return o, fmt.Errorf("read what was rendered: %w", err)
		}
		o.Objects = append(o.Objects, object)
	}
	return o, nil
}

// endsEarly: after this nobody asks whether the TrainJob fits its runtime.
func endsEarly(f finding.Finding) bool {
	if f.Rule == finding.RuntimeReplicas && (strings.HasPrefix(f.Message, "is 0") || strings.HasPrefix(f.Message, "is -")) {
		return true // the schemas say so
	}
	return f.Severity == finding.Error && slices.Contains([]finding.Rule{
		finding.UnknownField, finding.MissingField, finding.WrongType, finding.InvalidValue, finding.InvalidMetadata,
		finding.DuplicateItem, finding.OldForm, finding.RuntimeMissing, finding.RuntimeKind,
	}, f.Rule)
}
