// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"math"
	"testing"

	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// TestAGangIsNoLargerThanAPodGroupCounts: each job alone may have as many pods.
func TestAGangIsNoLargerThanAPodGroupCounts(t *testing.T) {
	job := func(name string, replicas, pods int32) jobset.ReplicatedJob {
		r := jobset.ReplicatedJob{Name: name, Replicas: replicas}
		r.Template.Spec.Parallelism = &pods
		return r
	}
	for name, test := range map[string]struct {
		jobs    []jobset.ReplicatedJob
		refused bool
	}{
		"one pod":             {[]jobset.ReplicatedJob{job("a", 0, 0)}, false},
		"the most":            {[]jobset.ReplicatedJob{job("a", math.MaxInt32, 1)}, false},
		"the most, of two":    {[]jobset.ReplicatedJob{job("a", 1, 1), job("b", math.MaxInt32-1, 1)}, false},
		"one more":            {[]jobset.ReplicatedJob{job("a", 1, 2), job("b", math.MaxInt32-1, 1)}, true},
		"twice the most":      {[]jobset.ReplicatedJob{job("a", math.MaxInt32, 1), job("b", math.MaxInt32, 1)}, true},
		"beyond 64 bits, too": {[]jobset.ReplicatedJob{job("a", math.MaxInt32, math.MaxInt32), job("b", math.MaxInt32, math.MaxInt32), job("c", math.MaxInt32, math.MaxInt32)}, true},
	} {
		if found := tooManyMembers(Job{Spec: jobset.JobSetSpec{ReplicatedJobs: test.jobs}}); len(found) > 0 != test.refused {
			t.Errorf("%s: %v", name, found)
		}
	}
}
