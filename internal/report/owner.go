// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/render"
)

// owner is the kind of hand that set a line.
type owner int

const (
	byRule    owner = iota // a default or a rule of this program
	byPolicy               // what a framework or a scheduler needs
	byRuntime              // the platform team's runtime
	byPatch                // a runtimePatch, often another controller's
	byJob                  // the TrainJob's author
)

func ownerOf(source render.Source) owner {
	switch {
	case strings.HasSuffix(source.Rule, " policy"):
		return byPolicy
	case source.Rule != "":
		return byRule
	case source.Manager != "":
		return byPatch
	case source.Object.Kind == trainer.TrainJobKind:
		return byJob
	default:
		return byRuntime
	}
}

// paint colours text for a terminal: grey, yellow, cyan, magenta, green.
func (o owner) paint(text string, colour bool) string {
	if !colour {
		return text
	}
	return [...]string{"\x1b[90m", "\x1b[33m", "\x1b[36m", "\x1b[35m", "\x1b[32m"}[o] + text + "\x1b[0m"
}
