// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package runtimes

import (
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/render"
)

// Entry is a runtime in a catalog.
type Entry struct {
	render.Runtime
	Namespace string // of a TrainingRuntime; of a ClusterTrainingRuntime it counts for nothing
	BuiltIn   bool   // it is one of the Trainer's own, of Release
}

// Catalog is a set of runtimes. The zero value is empty. It is a value: adding
// to it leaves it unchanged.
type Catalog struct {
	entries []Entry // those added last come first
	builtin bool
}

// Builtin returns the catalog of the runtimes that the Trainer ships.
func Builtin() Catalog { return Catalog{builtin: true} }

// With returns the catalog with more runtimes, which win over those that are
// in it.
func (c Catalog) With(runtimes ...Entry) Catalog {
	return Catalog{entries: slices.Concat(runtimes, c.entries), builtin: c.builtin}
}

// Resolve finds the runtime that a TrainJob of a namespace names. A
// ClusterTrainingRuntime is found by its name alone; a TrainingRuntime only in
// the TrainJob's own namespace.
func (c Catalog) Resolve(ref trainer.RuntimeRef, namespace string) (Entry, bool) {
	kind := Kind(ref)
	if Group(ref) != trainer.GroupVersion.Group {
		return Entry{}, false
	}
	for _, e := range c.entries {
		if e.Kind == kind && e.Name == ref.Name && e.visibleIn(namespace) {
			return e, true
		}
	}
	if read := builtin()[ref.Name]; c.builtin && read != nil && kind == trainer.ClusterTrainingRuntimeKind {
		return read(), true
	}
	return Entry{}, false
}

// visibleIn reports whether TrainJobs of the namespace may name the runtime.
func (e Entry) visibleIn(namespace string) bool {
	return e.Kind == trainer.ClusterTrainingRuntimeKind || orDefault(e.Namespace) == orDefault(namespace)
}

// Kind is the kind that a reference names; the API server fills in the
// cluster-wide one.
func Kind(ref trainer.RuntimeRef) string {
	if ref.Kind == nil {
		return trainer.ClusterTrainingRuntimeKind
	}
	return *ref.Kind
}

// Group is the API group that a reference names; the API server fills in the
// Trainer's.
func Group(ref trainer.RuntimeRef) string {
	if ref.APIGroup == nil {
		return trainer.GroupVersion.Group
	}
	return *ref.APIGroup
}

// orDefault is the namespace in which an object without one ends up, unless
// the applier is told another.
func orDefault(namespace string) string {
	if namespace == "" {
		return "default"
	}
	return namespace
}
