// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-logr/logr"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
)

// A tenant writes JobSets with annotations of his choice. What can't be followed
// is one Event and one count, without a write, a loop or an echo.
func TestHostileAnnotations(t *testing.T) {
	const canary = "c4n4ry"
	for name, c := range map[string]struct{ key, value string }{
		"no JSON":                  {marks.TrainJobSpec, canary + "{{{"},
		"no object":                {marks.TrainJobSpec, `["` + canary + `"]`},
		"nothing":                  {marks.TrainJobSpec, ""},
		"null":                     {marks.TrainJobSpec, "null"},
		"another kind":             {marks.TrainJobSpec, `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"` + canary + `","namespace":"kube-system"}}`},
		"a whole TrainJob":         {marks.TrainJobSpec, `{"spec":{"runtimeRef":{"name":"` + canary + `"}}}`},
		"metadata of its own":      {marks.TrainJobSpec, `{"metadata":{"namespace":"kube-system"},"runtimeRef":{"name":"` + canary + `"}}`},
		"an unknown field":         {marks.TrainJobSpec, `{"runtimeRef":{"name":"` + canary + `"},"hostNetwork":true}`},
		"another kind of runtime":  {marks.TrainJobSpec, `{"runtimeRef":{"name":"` + canary + `","kind":"Secret"}}`},
		"another group":            {marks.TrainJobSpec, `{"runtimeRef":{"name":"` + canary + `","apiGroup":"example.com"}}`},
		"a field twice":            {marks.TrainJobSpec, `{"runtimeRef":{"name":"a"},"runtimeRef":{"name":"` + canary + `"}}`},
		"something behind":         {marks.TrainJobSpec, simpleSpec + canary},
		"huge":                     {marks.TrainJobSpec, `{"runtimeRef":{"name":"` + strings.Repeat(canary, marks.MaxTrainJobSpec) + `"}}`},
		"deep":                     {marks.TrainJobSpec, strings.Repeat(`{"a":`, 20000) + canary},
		"what looks a digest":      {marks.TrainJobSpec, "sha256:" + strings.Repeat(canary, 10)},
		"what looks a long digest": {marks.TrainJobSpec, "sha256:" + strings.Repeat(canary, 100)},
		"ssh: another value":       {marks.SSHAuth, canary},
		"ssh: huge":                {marks.SSHAuth, strings.Repeat(canary, 40000)},
		"ttl: no number":           {marks.SoftTTLSeconds, canary},
		"ttl: negative":            {marks.SoftTTLSeconds, "-1"},
		"ttl: too big":             {marks.SoftTTLSeconds, "9223372036854775807"},
		"ttl: huge":                {marks.SoftTTLSeconds, "1" + strings.Repeat("0", 40000)},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, newJobSet(completed, annotated(c.key, c.value)))
			if c.key == marks.SSHAuth {
				w = newWorld(t, newJobSet(annotated(c.key, c.value)))
			}
			var log bytes.Buffer
			ctx := ctrllog.IntoContext(t.Context(), logr.FromSlogHandler(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
			for range 10 {
				result, err := w.r.Reconcile(ctx, reconcile.Request{NamespacedName: runKey})
				if err != nil || result.RequeueAfter != 0 {
					t.Fatalf("tries again: %v, %v", result, err)
				}
			}
			w.wantWrites()
			if texts := w.wantEvents("AnnotationRefused"); len(texts) > 0 && strings.Contains(texts[0], canary) {
				t.Error("the Event repeats the annotation")
			}
			if got := w.metric("trainyard_mirror_refused_annotations_total"); got != 1 {
				t.Errorf("the metric is %v, want 1", got)
			}
			if strings.Contains(log.String(), canary) {
				t.Error("the log repeats the annotation")
			}
			if w.reads > 1 {
				t.Errorf("the JobSet was read %d times", w.reads)
			}
		})
	}
}

// What was refused is looked at again once it says something else.
func TestRefusedAnnotationIsMended(t *testing.T) {
	w := newWorld(t, newJobSet(annotated(marks.TrainJobSpec, "broken")))
	w.settle()
	w.change(annotated(marks.TrainJobSpec, simpleSpec))
	w.settle()
	w.wantWrites(createRun, patchRun)
	w.change(annotated(marks.TrainJobSpec, "broken again"))
	w.settle()
	w.wantWrites(createRun, patchRun)
	w.wantEvents("AnnotationRefused", "AnnotationRefused")
}

// Names in labels and specs lead nowhere: all that is written bears the JobSet's
// own name, in its own namespace.
func TestNothingOutsideOfNameAndNamespace(t *testing.T) {
	spec := `{"runtimeRef":{"name":"../../kube-system"},"trainer":{"image":"x"}}`
	js := newJobSet(annotated(marks.TrainJobSpec, spec), annotated(marks.SSHAuth, marks.SSHAuthGenerate))
	js.Labels[marks.TrainJob] = "victim"
	js.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Namespace", Name: "kube-system", UID: "x"}}
	victims := []client.Object{
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "run-mpi-ssh-auth", Namespace: "team-b"}},
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "victim-mpi-ssh-auth", Namespace: "team-a"}},
		&trainer.TrainJob{ObjectMeta: metav1.ObjectMeta{Name: "victim", Namespace: "team-a"}},
		&trainer.TrainJob{ObjectMeta: metav1.ObjectMeta{Name: "run", Namespace: "team-b"}},
	}
	w := newWorld(t, append(victims, js)...)
	w.settle()
	w.wantWrites(createSecretRun, createRun, patchRun)
	for _, victim := range victims {
		is, ok := victim.DeepCopyObject().(client.Object)
		if !ok {
			t.Fatal("no object")
		}
		w.must(w.cluster.Get(t.Context(), client.ObjectKeyFromObject(victim), is))
		if is.GetResourceVersion() != "999" {
			t.Errorf("%T %s/%s was written", victim, victim.GetNamespace(), victim.GetName())
		}
	}
}

// A tenant who may edit TrainJobs gains one repair for each edit, no loop.
func TestForgedDigest(t *testing.T) {
	w := newWorld(t, newJobSet(annotated(marks.TrainJobSpec, simpleSpec)))
	w.settle()
	w.writes = nil
	tj := w.trainJob()
	tj.Annotations[marks.TrainJobSpec] = "sha256:forged"
	w.must(w.cluster.Update(t.Context(), tj))
	w.settle()
	w.wantWrites(deleteRun, createRun, patchRun)
}

// The memory that one JobSet takes in the cache is bounded, whatever is in it.
func TestCacheIsBounded(t *testing.T) {
	js := newJobSet(annotated(marks.TrainJobSpec, strings.Repeat("x", 200000)), annotated(marks.SSHAuth, strings.Repeat("x", 200000)))
	for i := range 5000 {
		key := "l" + strings.Repeat("x", i%50)
		js.Labels[key] = key
		js.Annotations["trainyard.dev/"+key] = strings.Repeat("y", 50)
		js.Spec.ReplicatedJobs = append(js.Spec.ReplicatedJobs, nodeJob())
		js.Status.ReplicatedJobsStatus = append(js.Status.ReplicatedJobsStatus, jobset.ReplicatedJobStatus{Name: key})
		js.ManagedFields = append(js.ManagedFields, metav1.ManagedFieldsEntry{Manager: key})
		js.Finalizers = append(js.Finalizers, key)
	}
	stripJobSet(js)
	size := 0
	for key, value := range js.Annotations {
		size += len(key) + len(value)
	}
	if size > 300 || len(js.Labels) != 1 || js.ManagedFields != nil || js.Finalizers != nil || js.Spec.ReplicatedJobs != nil {
		t.Errorf("%d bytes of annotations, %d labels; or more than that is left: %+v", size, len(js.Labels), js.Spec)
	}
	if got := len(js.Status.ReplicatedJobsStatus); got > maxJobs {
		t.Errorf("%d counters are left", got)
	}
	if got := unsafe.Sizeof(*js); got > 1000 {
		t.Errorf("a JobSet takes %d bytes", got)
	}
}
