// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/nearest"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

// The groups whose kinds are sources, or were in an older release.
const (
	trainerGroup = "trainer.kubeflow.org"
	oldGroup     = "kubeflow.org"
)

// trainerKinds are the kinds of the Trainer's group.
var trainerKinds = []string{trainer.TrainJobKind, trainer.ClusterTrainingRuntimeKind, trainer.TrainingRuntimeKind}

// unknownKind tells of an object that nobody would act on, and that was meant
// for us.
func unknownKind(item *resourcelist.Item) finding.Finding {
	if item.Ref.APIVersion == "" {
		return finding.Errorf(finding.UnknownKind, "apiVersion", "is missing from this %s; write %s", item.Ref.Kind, trainer.GroupVersion)
	}
	hint := "there are " + strings.Join(trainerKinds, ", ")
	if near := nearest.Name(item.Ref.Kind, trainerKinds); near != "" {
		hint = "did you mean " + near + "?"
	}
	return finding.Errorf(finding.UnknownKind, "kind", "%s has no kind %q; %s", trainerGroup, item.Ref.Kind, hint)
}

// concerns reports whether an item is a source, or nobody can tell.
func concerns(item *resourcelist.Item) bool { return isSource(item) || len(item.Doubts) > 0 }

func isSource(item *resourcelist.Item) bool { return isTrainJob(item) || isRuntime(item) }

func isTrainJob(item *resourcelist.Item) bool {
	return item.Ref.Kind == "TrainJob" && (item.Group() == trainerGroup || item.Group() == oldGroup)
}

func isRuntime(item *resourcelist.Item) bool {
	return strings.HasSuffix(item.Ref.Kind, "TrainingRuntime") && (item.Group() == trainerGroup || item.Group() == oldGroup)
}

func isPriorityClass(item *resourcelist.Item) bool {
	return item.Ref.Kind == "PriorityClass" && item.Group() == "scheduling.k8s.io"
}

func isJobSet(item *resourcelist.Item) bool {
	return item.Ref.Kind == "JobSet" && item.Group() == jobset.GroupVersion.Group
}
