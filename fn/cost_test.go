// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"testing"

	"github.com/trainyard/trainyard/internal/workload"
)

// A job may cost so many allocations once its runtime is known, a quarter more
// than it did when this was written. They are counted since they are the same
// on every machine, which no clock is.
const maxAllocations = 1_000

func TestCostOfAJob(t *testing.T) {
	const few, many = 100, 200 // what the first of a kind costs is in both
	more := allocations(t, many) - allocations(t, few)
	if perJob := more / (many - few); perJob > maxAllocations {
		t.Errorf("a job costs %.0f allocations; at most %d are wanted: go test ./fn -bench Run -memprofile tells where they are", perJob, maxAllocations)
	} else {
		t.Logf("a job costs %.0f allocations", perJob)
	}
}

func allocations(t *testing.T, jobs int) float64 {
	t.Helper()
	items, err := workload.Items("..", jobs, 0)
	if err != nil {
		t.Fatal(err)
	}
	list := workload.List(items)
	return testing.AllocsPerRun(1, func() { Run(list) })
}
