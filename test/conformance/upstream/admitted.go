// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobsetapply "sigs.k8s.io/jobset/client-go/applyconfiguration/jobset/v1alpha2"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	trainerruntime "github.com/kubeflow/trainer/v2/pkg/runtime"
)

// Admitted is a TrainJob that passed its schema, with the runtime that it
// names. Both are as the API server stores them. It is a value to try things
// with: what would the Trainer do if it were given this instead?
type Admitted struct {
	Job         *trainer.TrainJob
	RuntimeKind string
	Runtime     trainer.TrainingRuntimeSpec // zero: there is none
	held        cluster
}

// Clone returns a copy that shares nothing that one would change.
func (a Admitted) Clone() Admitted {
	a.Job = a.Job.DeepCopy()
	a.Runtime = *a.Runtime.DeepCopy()
	return a
}

// admitted joins a TrainJob to the runtime that it names.
func admitted(job *trainer.TrainJob, held cluster) Admitted {
	a := Admitted{Job: job, held: held}
	switch held := held[a.runtimeIdentity()].(type) {
	case *trainer.ClusterTrainingRuntime:
		a.RuntimeKind, a.Runtime = trainer.ClusterTrainingRuntimeKind, held.Spec
	case *trainer.TrainingRuntime:
		a.RuntimeKind, a.Runtime = trainer.TrainingRuntimeKind, held.Spec
	}
	return a
}

func (a Admitted) runtimeIdentity() identity {
	id := identity{kind: trainerruntime.RuntimeRefToRuntimeRegistryKey(a.Job.Spec.RuntimeRef), name: a.Job.Spec.RuntimeRef.Name}
	if kind := a.Job.Spec.RuntimeRef.Kind; kind != nil && *kind == trainer.TrainingRuntimeKind {
		id.namespace = a.Job.Namespace
	}
	return id
}

// context is one in which the Trainer finds the runtime as it is now.
func (a Admitted) context(ctx context.Context, more ...client.Object) context.Context {
	held := maps.Clone(a.held)
	id := a.runtimeIdentity()
	switch was := held[id].(type) {
	case *trainer.ClusterTrainingRuntime:
		held[id] = &trainer.ClusterTrainingRuntime{TypeMeta: was.TypeMeta, ObjectMeta: was.ObjectMeta, Spec: a.Runtime}
	case *trainer.TrainingRuntime:
		held[id] = &trainer.TrainingRuntime{TypeMeta: was.TypeMeta, ObjectMeta: was.ObjectMeta, Spec: a.Runtime}
	}
	for _, o := range more {
		held[identity{o.GetObjectKind().GroupVersionKind().GroupKind().String(), o.GetNamespace(), o.GetName()}] = o
	}
	return context.WithValue(ctx, clusterKey{}, held)
}

// Patched returns the runtime's template with the TrainJob's runtimePatches
// merged in, and nothing else done to it.
func (t *Trainer) Patched(a Admitted) (map[string]any, error) {
	patchesOnly := &trainer.TrainJob{ObjectMeta: metav1.ObjectMeta{Name: a.Job.Name}}
	patchesOnly.Spec.RuntimePatches = a.Job.Spec.RuntimePatches
	registered := t.runtimes[trainerruntime.RuntimeRefToRuntimeRegistryKey(a.Job.Spec.RuntimeRef)]
	info, err := registered.RuntimeInfo(patchesOnly, *a.Runtime.Template.DeepCopy(), nil, nil)
	if err != nil {
		return nil, err
	}
	spec, _ := trainerruntime.TemplateSpecApply[jobsetapply.JobSetSpecApplyConfiguration](info)
	patched := map[string]any{}
	return patched, Convert(spec, &patched)
}

// keys are an SSH key pair of the TrainJob's that is there already, so that the
// Trainer makes no other.
func (a Admitted) keys() *corev1.Secret {
	return &corev1.Secret{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		ObjectMeta: metav1.ObjectMeta{Namespace: a.Job.Namespace, Name: a.Job.Name + "-mpi-ssh-auth"},
	}
}
