// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/policy"
)

// The Trainer leaves a TrainJob's labels and annotations where they are. Here
// the JobSet is what is applied, so what is meant for those who act on the
// applied object goes with it: labels, and annotations for Kueue and the
// appliers. What an applier writes to recognise its own objects stays behind.

const (
	argoPrefix = "argocd.argoproj.io/"
	fluxPrefix = "kustomize.toolkit.fluxcd.io/"
	helmPrefix = "helm.toolkit.fluxcd.io/"

	argoTracking   = argoPrefix + "tracking-id"
	argoInstall    = argoPrefix + "installation-id"
	argoSyncOption = argoPrefix + "sync-options"
	fluxForce      = fluxPrefix + "force"
	fluxSSA        = fluxPrefix + "ssa"
	fluxSubstitute = fluxPrefix + "substitute"
)

// carryMetadata starts the JobSet's metadata from the TrainJob's.
func carryMetadata(t *trainer.TrainJob) func(policy.Job) policy.Job {
	return func(j policy.Job) policy.Job {
		j.Metadata = carried(t)
		return j
	}
}

// carried is what of the TrainJob's metadata goes to the JobSet.
func carried(t *trainer.TrainJob) policy.Metadata {
	m := policy.Metadata{Labels: map[string]string{}, Annotations: map[string]string{}}
	for key, value := range t.Labels {
		if !tracksLabel(key) {
			m.Labels[key] = value
		}
	}
	for key, value := range t.Annotations {
		if forAnother(key) && !tracksAnnotation(key, value) {
			m.Annotations[key] = value
		}
	}
	return m
}

func forAnother(key string) bool {
	return strings.HasPrefix(key, marks.KueuePrefix) ||
		strings.HasPrefix(key, argoPrefix) || strings.HasPrefix(key, fluxPrefix)
}

func tracksLabel(key string) bool {
	return strings.HasPrefix(key, fluxPrefix) || strings.HasPrefix(key, helmPrefix) || strings.HasPrefix(key, argoPrefix)
}

// tracksAnnotation: an Argo CD hook of the value Skip keeps the TrainJob itself
// out of the cluster, and says nothing about the JobSet.
func tracksAnnotation(key, value string) bool {
	return key == argoTracking || key == argoInstall || key == marks.ArgoHook && value == "Skip"
}
