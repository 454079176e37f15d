// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	trainerruntime "github.com/kubeflow/trainer/v2/pkg/runtime"
	"github.com/kubeflow/trainer/v2/pkg/util/trainjob"
)

// Stage says how far an object gets before it is refused.
type Stage int

// The stages, in their order.
const (
	Decoding   Stage = iota // kubectl's strict reading
	Validation              // the CRD's schema and rules
	Admission               // the Trainer's webhooks
	Rendering               // its controller
)

// Problem is one reason why an object is refused.
type Problem struct {
	Stage   Stage
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
// the objects: they are as the API server stores them afterwards. The second
// result is nil when the TrainJob or a runtime did not get past its schema, or
// the runtime is not there.
func (t *Trainer) Judge(ctx context.Context, trainJob map[string]any, others []map[string]any) (Verdict, *Admitted, error) {
	held, verdict, err := t.create(ctx, others, metadata(trainJob, "namespace"))
	if err != nil || verdict.Refused() {
		return verdict, nil, err
	}
	verdict.add(t.admit(ctx, trainer.TrainJobKind, trainJob))
	job, err := typedTrainJob(trainJob)
	verdict.refuse(Validation, err)
	if verdict.Refused() {
		return verdict, nil, nil
	}
	a := admitted(job, held)
	verdict.add(t.Validate(ctx, a))
	if a.RuntimeKind == "" {
		return verdict, nil, nil
	}
	if verdict.Refused() {
		return verdict, &a, nil
	}
	rendered := rendered(a.context(ctx), a, t.runtimes[trainerruntime.RuntimeRefToRuntimeRegistryKey(job.Spec.RuntimeRef)].NewObjects)
	verdict.Skipped, verdict.RenderError, verdict.Objects = rendered.Skipped, rendered.RenderError, rendered.Objects
	return verdict, &a, nil
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

// Validate is what the TrainJob's webhook does on create. A webhook that
// panics refuses.
func (t *Trainer) Validate(ctx context.Context, a Admitted) (verdict Verdict) {
	defer func() {
		if trouble := recover(); trouble != nil {
			verdict.refuse(Admission, fmt.Errorf("panic: %v", trouble))
		}
	}()
	key := trainerruntime.RuntimeRefToRuntimeRegistryKey(a.Job.Spec.RuntimeRef)
	registered, ok := t.runtimes[key]
	if !ok {
		verdict.refuse(Admission, fmt.Errorf("unsupported runtime: %s", key))
		return verdict
	}
	warnings, errs := registered.ValidateObjects(a.context(ctx), nil, a.Job)
	verdict.Warnings = warnings
	verdict.refuse(Admission, errs.ToAggregate())
	return verdict
}

// Render is what the controller does with an admitted TrainJob. It takes no
// snapshot of the runtime and makes no keys, which cost as much as the rest.
func (t *Trainer) Render(ctx context.Context, a Admitted) Verdict {
	return rendered(a.context(ctx, a.keys()), a, func(ctx context.Context, job *trainer.TrainJob) ([]runtime.ApplyConfiguration, error) {
		registered := t.runtimes[trainerruntime.RuntimeRefToRuntimeRegistryKey(job.Spec.RuntimeRef)]
		own := a.Runtime.DeepCopy() // the mpi plugin changes the policy
		info, err := registered.RuntimeInfo(job, own.Template, own.MLPolicy, own.PodGroupPolicy)
		if err != nil {
			return nil, err
		}
		return t.framework.RunComponentBuilderPlugins(ctx, info, job)
	})
}

func rendered(ctx context.Context, a Admitted, plugins builder) Verdict {
	if trainjob.IsManagedByExternalController(a.Job) {
		return Verdict{Skipped: true}
	}
	objects, err := build(ctx, a.Job.DeepCopy(), plugins) // the torch plugin changes the TrainJob
	if err != nil {
		return Verdict{RenderError: err.Error()}
	}
	return Verdict{Objects: objects}
}

func (v *Verdict) add(other Verdict) {
	v.Errors = append(v.Errors, other.Errors...)
	v.Warnings = append(v.Warnings, other.Warnings...)
	v.Unknown = append(v.Unknown, other.Unknown...)
}

// refuse notes an error, or each of those that it holds.
func (v *Verdict) refuse(stage Stage, err error) {
	if several, ok := errors.AsType[utilerrors.Aggregate](err); ok {
		for _, one := range several.Errors() {
			v.refuse(stage, one)
		}
		return
	}
	if err == nil {
		return
	}
	problem := Problem{Stage: stage, Message: strings.TrimSpace(err.Error())}
	if atField, ok := errors.AsType[*field.Error](err); ok {
		problem.Field = atField.Field
	}
	v.Errors = append(v.Errors, problem)
}
