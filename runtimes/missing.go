// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package runtimes

import (
	"fmt"
	"slices"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/internal/nearest"
	"github.com/trainyard/trainyard/render/finding"
)

// Missing says why a reference does not resolve, and what the TrainJob could
// name instead.
func (c Catalog) Missing(ref trainer.RuntimeRef, namespace string) finding.Finding {
	kind := Kind(ref)
	if group := Group(ref); group != trainer.GroupVersion.Group {
		return finding.Errorf(finding.RuntimeKind, "spec.runtimeRef.apiGroup",
			"%s is not the group of a runtime; leave it out, or write %s", quoted(group), trainer.GroupVersion.Group)
	}
	if kind != trainer.ClusterTrainingRuntimeKind && kind != trainer.TrainingRuntimeKind {
		return finding.Errorf(finding.RuntimeKind, "spec.runtimeRef.kind",
			"%s is not a kind of runtime; write %s or %s", quoted(kind), trainer.ClusterTrainingRuntimeKind, trainer.TrainingRuntimeKind)
	}
	return finding.Errorf(finding.RuntimeMissing, "spec.runtimeRef.name", "%s is not here: %s",
		titled(kind, ref.Name, namespace), c.instead(kind, ref.Name, namespace))
}

// instead is the remedy, the most telling one first.
func (c Catalog) instead(kind, name, namespace string) string {
	for _, e := range c.entries {
		switch {
		case e.Name != name:
		case e.Kind != kind && e.visibleIn(namespace):
			return fmt.Sprintf("there is a %s of that name; write spec.runtimeRef.kind: %s", e.Kind, e.Kind)
		case e.Kind == kind && e.Namespace == "":
			return fmt.Sprintf("the %s of that name has no namespace; give it namespace: %s", e.Kind, orDefault(namespace))
		case e.Kind == kind:
			return fmt.Sprintf("the %s of that name is in namespace %s; it must be in the TrainJob's, %s", e.Kind, e.Namespace, orDefault(namespace))
		}
	}
	if kind == trainer.TrainingRuntimeKind && c.builtin && builtin()[name] != nil {
		return fmt.Sprintf("there is a built-in %s of that name; leave out spec.runtimeRef.kind", trainer.ClusterTrainingRuntimeKind)
	}
	return c.nameAnother(kind, name, namespace)
}

// nameAnother lists the names that would resolve, and guesses the one that was
// meant.
func (c Catalog) nameAnother(kind, name, namespace string) string {
	if !c.builtin && kind == trainer.ClusterTrainingRuntimeKind && builtin()[name] != nil {
		return "add it to the package, or set builtinRuntimes: true to use the one of the Trainer's release"
	}
	names := c.names(kind, namespace)
	if near := nearest.Name(name, names); near != "" {
		return fmt.Sprintf("did you mean %s? There are: %s", near, strings.Join(names, ", "))
	}
	if len(names) > 0 {
		return fmt.Sprintf("name one of %s, or add it to the package", strings.Join(names, ", "))
	}
	return "there is none of this kind; add it to the package"
}

// names returns the names of a kind that a TrainJob of the namespace may use,
// sorted.
func (c Catalog) names(kind, namespace string) []string {
	var names []string
	for _, e := range c.entries {
		if e.Kind == kind && e.visibleIn(namespace) {
			names = append(names, e.Name)
		}
	}
	if c.builtin && kind == trainer.ClusterTrainingRuntimeKind {
		names = append(names, builtinNames()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func titled(kind, name, namespace string) string {
	if kind == trainer.TrainingRuntimeKind {
		return fmt.Sprintf("%s %s in namespace %s", kind, name, orDefault(namespace))
	}
	return kind + " " + name
}

func quoted(s string) string { return fmt.Sprintf("%q", s) }
