// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"errors"
	"maps"
	"strings"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"github.com/kubeflow/trainer/v2/pkg/util/trainjob"
)

// Problem is one reason why an object is refused.
type Problem struct {
	Object  string // "ClusterTrainingRuntime/name"; empty: the TrainJob
	Field   string // "spec.trainer.env"; empty: none is named
	Message string // with the field, as the API server words it
}

// Verdict is all that the Trainer and its API server say of one TrainJob.
type Verdict struct {
	Errors      []Problem
	Warnings    []string
	Unknown     []string // fields that were pruned
	Skipped     bool     // another controller manages the TrainJob
	RenderError string   // admitted, and then the controller fails
	Objects     []map[string]any
}

// Refused tells whether nothing was rendered for want of a good input.
func (v Verdict) Refused() bool { return len(v.Errors) > 0 }

// Judge creates the other objects of a case and then the TrainJob. It changes
// the objects: they are as the API server stores them afterwards.
func (t *Trainer) Judge(ctx context.Context, trainJob map[string]any, others []map[string]any) (Verdict, error) {
	held, verdict, err := t.create(ctx, others, metadata(trainJob, "namespace"))
	if err != nil || verdict.Refused() {
		return verdict, err
	}
	ctx = context.WithValue(ctx, clusterKey{}, held)
	job, admitted := t.admitTrainJob(ctx, trainJob)
	verdict.add(admitted)
	if verdict.Refused() {
		return verdict, nil
	}
	return t.Render(ctx, held, job, verdict), nil
}

// create admits runtimes and takes other objects as they are.
func (t *Trainer) create(ctx context.Context, others []map[string]any, namespace string) (cluster, Verdict, error) {
	held, verdict := maps.Clone(t.builtin), Verdict{}
	if namespace == "" {
		namespace = "default"
	}
	for _, object := range others {
		if kind, _ := object["kind"].(string); kind == trainer.ClusterTrainingRuntimeKind || kind == trainer.TrainingRuntimeKind {
			admitted := t.admitRuntime(ctx, object)
			verdict.add(admitted)
			if admitted.Refused() {
				continue
			}
		}
		if err := held.hold(t.scheme, object, namespace); err != nil {
			return nil, verdict, err
		}
	}
	return held, verdict, nil
}

func (t *Trainer) admitTrainJob(ctx context.Context, object map[string]any) (*trainer.TrainJob, Verdict) {
	verdict := t.admit(ctx, trainer.TrainJobKind, object)
	job, err := t.typedTrainJob(object)
	verdict.refuse(err)
	if verdict.Refused() {
		return nil, verdict
	}
	warnings, err := t.validateTrainJob(ctx, job)
	verdict.Warnings = append(verdict.Warnings, warnings...)
	verdict.refuse(err)
	return job, verdict
}

// Render adds what the controller does with an admitted TrainJob.
func (t *Trainer) Render(ctx context.Context, held cluster, job *trainer.TrainJob, verdict Verdict) Verdict {
	if trainjob.IsManagedByExternalController(job) {
		verdict.Skipped = true
		return verdict
	}
	objects, err := t.build(context.WithValue(ctx, clusterKey{}, held), job)
	if err != nil {
		verdict.RenderError = err.Error()
		return verdict
	}
	verdict.Objects = objects
	return verdict
}

func (v *Verdict) add(other Verdict) {
	v.Errors = append(v.Errors, other.Errors...)
	v.Warnings = append(v.Warnings, other.Warnings...)
	v.Unknown = append(v.Unknown, other.Unknown...)
}

// refuse notes an error, or each of those that it holds.
func (v *Verdict) refuse(err error) {
	var several utilerrors.Aggregate
	if errors.As(err, &several) {
		for _, one := range several.Errors() {
			v.refuse(one)
		}
		return
	}
	if err == nil {
		return
	}
	problem := Problem{Message: strings.TrimSpace(err.Error())}
	var atField *field.Error
	if errors.As(err, &atField) {
		problem.Field = atField.Field
	}
	v.Errors = append(v.Errors, problem)
}
