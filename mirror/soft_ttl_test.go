// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
)

func job(name string) *batchv1.Job {
	return &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "team-a"}}
}

func TestSoftTTL(t *testing.T) {
	w := newWorld(t, newJobSet(completed, annotated(marks.SoftTTLSeconds, "300")), newHandedOver(), job("run-node-0"), job("other-node-0"))
	w.settle()
	w.writes = nil
	if wait := w.pass().RequeueAfter; wait != 300*time.Second {
		t.Errorf("waits for %v, want 300 s", wait)
	}
	w.wantWrites()

	w.now = ended.Add(300 * time.Second)
	for range 3 {
		if wait := w.pass().RequeueAfter; wait != 0 {
			t.Errorf("waits for %v after the end", wait)
		}
	}
	w.wantWrites("delete Job team-a/run-node-0")
	if !w.get(&jobset.JobSet{}, "run") {
		t.Error("the JobSet is gone; an applier would run it again")
	}
	if !w.get(&batchv1.Job{}, "other-node-0") {
		t.Error("another JobSet's Job is gone")
	}

	// JobSet now counts none of its Jobs.
	w.change(func(js *jobset.JobSet) { js.Status.ReplicatedJobsStatus[0].Succeeded = 0 })
	w.restart()
	w.pass()
	if got := *w.trainJob().Status.JobsStatus[0].Succeeded; got != 1 {
		t.Errorf("the TrainJob counts %d Jobs that succeeded, want 1", got)
	}
	w.wantWrites("delete Job team-a/run-node-0")
}

// The clock may be set. No Job may go before a clock says so, and the nap is
// never so long that a clock set forward goes unnoticed.
func TestSoftTTLClockJumps(t *testing.T) {
	w := newWorld(t, newJobSet(completed, annotated(marks.SoftTTLSeconds, "3600")), newHandedOver(), job("run-node-0"))
	w.settle()
	for _, now := range []time.Duration{0, -1000 * time.Hour, 30 * time.Minute, -time.Second, 3599 * time.Second} {
		w.now = ended.Add(now)
		if wait := w.pass().RequeueAfter; wait <= 0 || wait > maxNap {
			t.Errorf("at %v: waits for %v", now, wait)
		}
	}
	w.wantWrites(patchRun)
	w.now = ended.Add(100000 * time.Hour)
	w.pass()
	w.wantWrites(patchRun, "delete Job team-a/run-node-0")
}

func TestSoftTTLDoesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		edit   func(*jobset.JobSet)
		off    bool
		events []string
	}{
		"running":      {edit: annotated(marks.SoftTTLSeconds, "0")},
		"switched off": {edit: func(js *jobset.JobSet) { completed(js); js.Annotations[marks.SoftTTLSeconds] = "0" }, off: true},
		"not asked":    {edit: completed},
		"JobSet counts fewer Jobs than there are names": {edit: func(js *jobset.JobSet) {
			completed(js)
			js.Annotations[marks.SoftTTLSeconds] = "0"
			js.Spec.ReplicatedJobs[0].Replicas = 2
		}},
	} {
		t.Run(name, func(t *testing.T) {
			js := newJobSet(c.edit)
			w := newWorld(t, js, job("run-node-0"), job("run-node-1"))
			w.now = ended.Add(time.Hour)
			w.r.SoftTTL = !c.off
			for range 3 {
				w.pass()
			}
			w.wantWrites()
			w.wantEvents(c.events...)
		})
	}
}

// The final counters must be on the TrainJob before JobSet zeroes its own.
func TestSoftTTLWaitsForTheStatus(t *testing.T) {
	w := newWorld(t, newJobSet(completed, annotated(marks.SoftTTLSeconds, "0")), newHandedOver(), job("run-node-0"))
	w.pass()
	w.wantWrites(patchRun)
	w.pass()
	w.wantWrites(patchRun, "delete Job team-a/run-node-0")
}
