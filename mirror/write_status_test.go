// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"errors"
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
)

const patchRun = "patch status of TrainJob team-a/run"

func TestStatusIsWrittenOncePerChange(t *testing.T) {
	w := newWorld(t, newJobSet(), newHandedOver())
	for range 3 {
		w.pass()
	}
	w.wantWrites(patchRun)

	w.change(completed)
	for range 3 {
		w.pass()
	}
	w.wantWrites(patchRun, patchRun)
	if terminal(w.trainJob().Status) == nil {
		t.Error("the TrainJob is not Complete")
	}
	w.wantEvents()
	if got := w.metric("trainyard_mirror_writes_total"); got != 2 {
		t.Errorf("the metric counts %v writes, want 2", got)
	}
}

// The patch must name nothing but what the mirror owns: the cache does not even
// hold the rest.
func TestRestOfTrainJobIsKept(t *testing.T) {
	tj := newHandedOver()
	percent := int32(42)
	tj.Status.TrainerStatus = &trainer.TrainerStatus{ProgressPercentage: &percent, LastUpdatedTime: start}
	tj.Labels = map[string]string{"team": "a"}
	tj.Spec.RuntimePatches = []trainer.RuntimePatch{{Manager: "kueue.x-k8s.io/manager"}}
	w := newWorld(t, newJobSet(completed), tj)
	w.settle()
	got := w.trainJob()
	if got.Status.TrainerStatus == nil || *got.Status.TrainerStatus.ProgressPercentage != 42 {
		t.Error("trainerStatus was lost")
	}
	if got.Labels["team"] != "a" || len(got.Spec.RuntimePatches) != 1 {
		t.Error("labels or spec were lost")
	}
	if terminal(got.Status) == nil {
		t.Error("the status was not written")
	}
}

// A cache that has not seen the mirror's own write must not cause another.
func TestCacheBehindOwnWrite(t *testing.T) {
	w := newWorld(t, newJobSet(), newHandedOver())
	before := w.trainJob()
	w.pass()
	w.stale[runKey] = before
	for range 5 {
		w.pass()
	}
	w.wantWrites(patchRun)
	delete(w.stale, runKey)
	w.pass()
	w.wantWrites(patchRun)
}

func TestFailedStatusWrites(t *testing.T) {
	resource := schema.GroupResource{Group: trainer.GroupVersion.Group, Resource: "trainjobs"}
	for name, failure := range map[string]error{
		"409":        apierrors.NewConflict(resource, "run", errors.New("injected")),
		"429":        apierrors.NewTooManyRequests("injected", 1),
		"500":        apierrors.NewInternalError(errors.New("injected")),
		"connection": errors.New("read: connection reset by peer"),
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, newJobSet(completed), newHandedOver())
			w.before = func(string) error { return failure }
			result, err := w.try()
			if err == nil && result.RequeueAfter == 0 {
				t.Fatal("the write failed, and nothing tries again")
			}
			w.before = nil
			w.settle()
			w.wantWrites(patchRun, patchRun)
			if terminal(w.trainJob().Status) == nil {
				t.Error("the status was not written")
			}
		})
	}
}

// The write is done, but nobody hears of it.
func TestLostAnswer(t *testing.T) {
	w := newWorld(t, newJobSet(completed), newHandedOver())
	w.after = func(string) error { return errors.New("unexpected EOF") }
	if _, err := w.try(); err == nil {
		t.Fatal("a lost answer is no success")
	}
	w.after = nil
	w.settle()
	w.wantWrites(patchRun)
}

func TestTrainJobDeletedMidFlight(t *testing.T) {
	w := newWorld(t, newJobSet(), newHandedOver())
	w.before = func(string) error { return client404() }
	if result := w.pass(); result.RequeueAfter != 0 {
		t.Error("a TrainJob that is gone is waited for")
	}
	w.wantWrites(patchRun)
}

func client404() error {
	return apierrors.NewNotFound(schema.GroupResource{Group: trainer.GroupVersion.Group, Resource: "trainjobs"}, "run")
}

// Somebody wrote between the read and the write: theirs must not be undone.
func TestConcurrentWriter(t *testing.T) {
	w := newWorld(t, newJobSet(), newHandedOver())
	stale := w.trainJob()
	theirs := w.trainJob()
	percent := int32(7)
	theirs.Status.TrainerStatus = &trainer.TrainerStatus{ProgressPercentage: &percent, LastUpdatedTime: start}
	w.must(w.cluster.Status().Update(t.Context(), theirs))
	w.stale[runKey] = stale
	if result := w.pass(); result.RequeueAfter == 0 {
		t.Error("a conflict is not tried again")
	}
	delete(w.stale, runKey)
	w.settle()
	if got := w.trainJob().Status; got.TrainerStatus == nil || len(got.JobsStatus) != 1 {
		t.Errorf("status is %+v", got)
	}
}

func TestNotHandedOver(t *testing.T) {
	for name, manager := range map[string]*string{"default": new(marks.TrainerItself), "none": nil} {
		t.Run(name, func(t *testing.T) {
			tj := newHandedOver()
			tj.Spec.ManagedBy = manager
			w := newWorld(t, newJobSet(completed), tj)
			for range 5 {
				w.pass()
			}
			w.wantWrites()
			w.wantEvents("NotHandedOver")
		})
	}
}

func TestJobSetIsGone(t *testing.T) {
	w := newWorld(t, newJobSet(completed), newHandedOver())
	w.settle()
	want := w.trainJob()
	w.must(w.cluster.Delete(t.Context(), newJobSet()))
	w.pass()
	w.wantWrites(patchRun)
	if got := w.trainJob(); got.ResourceVersion != want.ResourceVersion {
		t.Error("the finished TrainJob was written again")
	}
	if got := w.metric("trainyard_mirror_trainjobs_without_jobset"); got != 0 {
		t.Errorf("a finished TrainJob is counted as one that nobody runs: %v", got)
	}
}

func TestHandedOverWithoutJobSetIsCounted(t *testing.T) {
	w := newWorld(t, newHandedOver())
	w.pass()
	w.wantWrites()
	w.wantEvents()
	if got := w.metric("trainyard_mirror_trainjobs_without_jobset"); got != 1 {
		t.Errorf("the metric is %v, want 1", got)
	}
	w.must(w.cluster.Create(t.Context(), newJobSet()))
	w.pass()
	if got := w.metric("trainyard_mirror_trainjobs_without_jobset"); got != 0 {
		t.Errorf("the metric is %v, want 0", got)
	}
}

// An old Trainer that ignores managedBy would undo every write.
func TestSecondWriterIsNotFought(t *testing.T) {
	w := newWorld(t, newJobSet(), newHandedOver())
	undo := func() {
		tj := w.trainJob()
		tj.Status = trainer.TrainJobStatus{}
		w.must(w.cluster.Status().Update(t.Context(), tj))
	}
	for range 20 {
		w.pass()
		undo()
	}
	w.wantWrites(patchRun, patchRun, patchRun)
	w.wantEvents("TwoWriters")

	w.change(completed)
	w.settle()
	w.wantWrites(patchRun, patchRun, patchRun, patchRun)
	if terminal(w.trainJob().Status) == nil {
		t.Error("a change of the JobSet is not mirrored any more")
	}
}

// The JobSet was deleted and made anew under its name while the TrainJob, which
// git holds, stayed.
func TestJobSetMadeAnew(t *testing.T) {
	w := newWorld(t, newJobSet(completed), newHandedOver())
	w.settle()
	w.must(w.cluster.Delete(t.Context(), newJobSet()))
	w.pass()
	w.must(w.cluster.Create(t.Context(), newJobSet(func(js *jobset.JobSet) {
		js.UID = "js-2"
		js.CreationTimestamp.Time = ended.Add(60e9)
	})))
	w.settle()
	got := w.trainJob().Status
	if terminal(got) != nil || *got.JobsStatus[0].Active != 1 {
		t.Errorf("the new run is not mirrored: %+v", got)
	}
}

// A JobSet that is being deleted is no longer mirrored.
func TestJobSetIsBeingDeleted(t *testing.T) {
	js := newJobSet(annotated(marks.SSHAuth, marks.SSHAuthGenerate))
	js.Finalizers = []string{"foregroundDeletion"}
	w := newWorld(t, js, newHandedOver())
	w.must(w.cluster.Delete(t.Context(), js))
	w.settle()
	w.wantWrites()
}
