// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// Whatever order JobSet reports in, the TrainJob's is the spec's, and no more
// than the schema takes.
func TestJobsStatusIsOrderedAndBounded(t *testing.T) {
	var js jobset.JobSet
	for i := range maxJobs + 20 {
		js.Spec.ReplicatedJobs = append(js.Spec.ReplicatedJobs, jobset.ReplicatedJob{Name: fmt.Sprintf("job-%d", i)})
	}
	for i := range maxJobs + 20 {
		name := fmt.Sprintf("job-%d", maxJobs+19-i)
		js.Status.ReplicatedJobsStatus = append(js.Status.ReplicatedJobsStatus, jobset.ReplicatedJobStatus{Name: name})
	}
	got := Status(trainer.TrainJobStatus{}, &js).JobsStatus
	if len(got) != maxJobs {
		t.Fatalf("jobsStatus has %d entries, want %d", len(got), maxJobs)
	}
	for i, job := range got {
		if want := fmt.Sprintf("job-%d", i); job.Name != want {
			t.Fatalf("jobsStatus[%d] is %s, want %s", i, job.Name, want)
		}
	}
}

// The cache holds stripped objects: the status must come out the same.
func TestStatusOfStrippedJobSet(t *testing.T) {
	eachCase(t, func(t *testing.T, c statusCase) {
		want := Status(c.trainJob.Status, c.jobSet)
		stripped := c.jobSet.DeepCopy()
		for range 2 {
			if _, err := strip(stripped); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, Status(c.trainJob.Status, stripped)); diff != "" {
			t.Error(diff)
		}
	})
}

// A second pass finds nothing to write, and arguments are left alone.
func TestStatusIsStableAndPure(t *testing.T) {
	eachCase(t, func(t *testing.T, c statusCase) {
		was, js := c.trainJob.DeepCopy(), c.jobSet.DeepCopy()
		once := Status(c.trainJob.Status, c.jobSet)
		if diff := cmp.Diff(once, Status(once, c.jobSet)); diff != "" {
			t.Error("a second pass changes the status:", diff)
		}
		if diff := cmp.Diff(was, c.trainJob) + cmp.Diff(js, c.jobSet); diff != "" {
			t.Error("an argument was changed:", diff)
		}
	})
}

// The State column of kubectl prints the type of the last condition.
func TestStateColumn(t *testing.T) {
	eachCase(t, func(t *testing.T, c statusCase) {
		status := Status(c.trainJob.Status, c.jobSet)
		if end := terminal(status); end != nil {
			if last := status.Conditions[len(status.Conditions)-1]; last != *end {
				t.Errorf("the last condition is %s, want %s", last.Type, end.Type)
			}
		}
	})
}
