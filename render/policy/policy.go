// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"github.com/trainyard/trainyard/render/finding"
)

// Policy is what a framework or a scheduler needs of a job.
type Policy struct {
	Name    string
	Applies func(Job) bool
	Check   func(Job) []finding.Finding // nil: nothing to check
	Layer   func(Job) Layer
}

// Frameworks are laid before the TrainJob's own trainer block.
func Frameworks() []Policy { return []Policy{torch, jax, mpi, xgboost, initializers} }

// Finishers are laid after it: they complete what the TrainJob gave.
func Finishers() []Policy { return []Policy{torchtune, coscheduling, volcano} }

// Check asks every policy that applies to the job.
func Check(j Job) []finding.Finding {
	var found []finding.Finding
	for _, p := range append(Frameworks(), Finishers()...) {
		if p.Check != nil && p.Applies(j) {
			found = append(found, p.Check(j)...)
		}
	}
	return found
}
