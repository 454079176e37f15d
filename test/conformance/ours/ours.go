// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package ours renders a case as a user gets it rendered: the objects are
// held against their schemas, the runtime is looked up, the two are rendered,
// and the result is held against its schema.
package ours

import (
	"encoding/json"
	"fmt"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/runtimes"
	"github.com/trainyard/trainyard/schemas"
	"github.com/trainyard/trainyard/test/conformance/cases"
)

// Outcome is what the renderer makes of one case.
type Outcome struct {
	Findings   []finding.Finding
	Unfinished bool             // an object has not the right shape, or there is no runtime: nobody asked further
	Objects    []map[string]any // the JobSet first; none when a finding is an error
}

// Render renders a case.
func Render(c cases.Case) (Outcome, error) {
	catalog := runtimes.Builtin()
	var found []finding.Finding
	for _, object := range c.Others {
		wrong, entry, err := read(object)
		if err != nil {
			return Outcome{}, err
		}
		found = append(found, wrong...)
		catalog = catalog.With(entry...)
	}
	wrong, job, err := readTrainJob(c.TrainJob)
	if found = append(found, wrong...); err != nil || finding.Blocking(found) {
		return Outcome{Findings: found, Unfinished: true}, err
	}
	resolved, ok := catalog.Resolve(job.Spec.RuntimeRef, job.Namespace)
	if !ok {
		missing := catalog.Missing(job.Spec.RuntimeRef, job.Namespace)
		about := finding.Ref{APIVersion: trainer.GroupVersion.String(), Kind: trainer.TrainJobKind, Namespace: job.Namespace, Name: job.Name}
		return Outcome{Findings: append(found, finding.About(about, []finding.Finding{missing})...), Unfinished: true}, nil
	}
	result := render.Render(job, resolved.Runtime, render.Options{})
	return outcome(append(found, result.Findings...), result)
}

// outcome checks what was rendered once more, and turns it into plain objects.
func outcome(found []finding.Finding, result render.Result) (Outcome, error) {
	o := Outcome{Findings: found}
	if result.JobSet == nil {
		return o, nil
	}
	rendered := []any{result.JobSet}
	for _, companion := range result.Companions {
		rendered = append(rendered, companion)
	}
	for _, typed := range rendered {
		text, err := json.Marshal(typed)
		if err != nil {
			return o, fmt.Errorf("encode what was rendered: %w", err)
		}
		o.Findings = append(o.Findings, schemas.Validate(text)...)
		var object map[string]any
		if err := json.Unmarshal(text, &object); err != nil {
			return o, err
		}
		o.Objects = append(o.Objects, object)
	}
	return o, nil
}

// read validates an object, and makes a catalog's entry of a runtime that is
// valid.
func read(object map[string]any) ([]finding.Finding, []runtimes.Entry, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, nil, err
	}
	text, found := schemas.Admit(text, nil)
	kind, _ := object["kind"].(string)
	known := object["apiVersion"] == trainer.GroupVersion.String() && (kind == trainer.ClusterTrainingRuntimeKind || kind == trainer.TrainingRuntimeKind)
	if finding.Blocking(found) || !known {
		return found, nil, nil
	}
	var typed trainer.TrainingRuntime // both kinds have the same fields
	if err := json.Unmarshal(text, &typed); err != nil {
		return nil, nil, fmt.Errorf("decode %s: %w", kind, err)
	}
	entry := runtimes.Entry{
		Runtime:   render.Runtime{Kind: kind, Name: typed.Name, Labels: typed.Labels, Spec: typed.Spec},
		Namespace: typed.Namespace,
	}
	return found, []runtimes.Entry{entry}, nil
}

func readTrainJob(object map[string]any) ([]finding.Finding, *trainer.TrainJob, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, nil, err
	}
	text, found := schemas.Admit(text, nil)
	if finding.Blocking(found) {
		return found, nil, nil
	}
	var job trainer.TrainJob
	if err := json.Unmarshal(text, &job); err != nil {
		return nil, nil, fmt.Errorf("decode TrainJob: %w", err)
	}
	return found, &job, nil
}
