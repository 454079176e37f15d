// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"github.com/prometheus/client_golang/prometheus"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
)

var (
	start  = metav1.NewTime(time.Date(2026, 2, 1, 8, 0, 0, 0, time.UTC))
	ended  = metav1.NewTime(start.Add(2 * time.Hour))
	runKey = types.NamespacedName{Namespace: "team-a", Name: "run"}
)

// world is a cluster in memory with one reconciler. As in the real one, what it
// reads from the cache is stripped, and what it writes is told apart from what
// the test writes.
type world struct {
	t        *testing.T
	cluster  client.WithWatch // whole objects; writes are not recorded
	r        *Reconciler
	events   *events.FakeRecorder
	registry *prometheus.Registry
	now      time.Time
	writes   []string                               // "verb kind namespace/name", in order, also those that failed
	reads    int                                    // of whole objects
	stale    map[client.ObjectKey]*trainer.TrainJob // TrainJobs as a cache that is behind shows them
	before   func(write string) error               // fails a write before it is done
	after    func(write string) error               // loses the answer of a write that is done
}

func newWorld(t *testing.T, objects ...client.Object) *world {
	t.Helper()
	scheme, err := newScheme()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, now: ended.Time, events: events.NewFakeRecorder(1000), registry: prometheus.NewRegistry(),
		stale: map[client.ObjectKey]*trainer.TrainJob{}}
	w.cluster = fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).
		WithStatusSubresource(&trainer.TrainJob{}, &jobset.JobSet{}).Build()
	w.restart()
	return w
}

// restart makes a new reconciler, which remembers nothing.
func (w *world) restart() {
	w.t.Helper()
	w.registry = prometheus.NewRegistry()
	counts, err := NewMetrics(w.registry)
	if err != nil {
		w.t.Fatal(err)
	}
	w.r = &Reconciler{
		Client: interceptor.NewClient(w.cluster, w.intercept()), Live: liveReader{w}, Events: w.events,
		Now: func() time.Time { return w.now }, SSHSecrets: true, SoftTTL: true, Metrics: counts,
	}
}

func (w *world) intercept() interceptor.Funcs {
	return interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
			if tj, ok := o.(*trainer.TrainJob); ok && w.stale[key] != nil {
				w.stale[key].DeepCopyInto(tj)
				return nil
			}
			if err := c.Get(ctx, key, o, opts...); err != nil {
				return err
			}
			_, err := strip(o)
			return err
		},
		Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			o.SetUID(types.UID(fmt.Sprintf("made-%d", len(w.writes))))
			return w.write("create", o, func() error { return c.Create(ctx, o, opts...) })
		},
		Delete: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.DeleteOption) error {
			return w.write("delete", o, func() error { return c.Delete(ctx, o, opts...) })
		},
		SubResourcePatch: func(ctx context.Context, c client.Client, sub string, o client.Object, p client.Patch, opts ...client.SubResourcePatchOption) error {
			return w.write("patch "+sub+" of", o, func() error { return c.SubResource(sub).Patch(ctx, o, p, opts...) })
		},
		Update: func(context.Context, client.WithWatch, client.Object, ...client.UpdateOption) error {
			panic("the mirror has no right to update")
		},
		Patch: func(context.Context, client.WithWatch, client.Object, client.Patch, ...client.PatchOption) error {
			panic("the mirror has no right to patch more than a status")
		},
	}
}

func (w *world) write(verb string, o client.Object, do func() error) error {
	kind := strings.TrimPrefix(fmt.Sprintf("%T", o), "*v1.")
	kind = kind[strings.LastIndex(kind, ".")+1:]
	text := fmt.Sprintf("%s %s %s/%s", verb, kind, o.GetNamespace(), o.GetName())
	w.writes = append(w.writes, text)
	if w.before != nil {
		if err := w.before(text); err != nil {
			return err
		}
	}
	if err := do(); err != nil {
		return err
	}
	if w.after != nil {
		return w.after(text)
	}
	return nil
}

// liveReader counts reads of whole objects.
type liveReader struct{ w *world }

func (l liveReader) Get(ctx context.Context, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
	l.w.reads++
	return l.w.cluster.Get(ctx, key, o, opts...)
}

func (l liveReader) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	return l.w.cluster.List(ctx, list, opts...)
}

// pass reconciles once and expects no error.
func (w *world) pass() reconcile.Result {
	w.t.Helper()
	result, err := w.try()
	if err != nil {
		w.t.Fatal("reconcile:", err)
	}
	return result
}

func (w *world) try() (reconcile.Result, error) {
	return w.r.Reconcile(w.t.Context(), reconcile.Request{NamespacedName: runKey})
}

// settle reconciles until a pass writes nothing.
func (w *world) settle() {
	w.t.Helper()
	for range 10 {
		n := len(w.writes)
		if _, err := w.try(); err == nil && len(w.writes) == n {
			return
		}
	}
	w.t.Fatal("still writing after ten passes:", w.writes)
}

func (w *world) wantWrites(want ...string) {
	w.t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), append([]string{}, w.writes...)); diff != "" {
		w.t.Error("writes:", diff)
	}
}

// wantEvents compares reasons, and forgets what it has compared.
func (w *world) wantEvents(want ...string) []string {
	w.t.Helper()
	got, texts := []string{}, []string{}
	for len(w.events.Events) > 0 {
		text := <-w.events.Events
		texts = append(texts, text)
		got = append(got, strings.Fields(text)[1])
	}
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		w.t.Errorf("events: %s\n%s", diff, strings.Join(texts, "\n"))
	}
	return texts
}

func (w *world) metric(name string) float64 {
	w.t.Helper()
	families, err := w.registry.Gather()
	if err != nil {
		w.t.Fatal(err)
	}
	sum := 0.0
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, m := range family.GetMetric() {
			sum += m.GetGauge().GetValue() + m.GetCounter().GetValue()
		}
	}
	return sum
}

func (w *world) get(o client.Object, name string) bool {
	w.t.Helper()
	err := w.cluster.Get(w.t.Context(), client.ObjectKey{Namespace: "team-a", Name: name}, o)
	if client.IgnoreNotFound(err) != nil {
		w.t.Fatal(err)
	}
	return err == nil
}

func (w *world) trainJob() *trainer.TrainJob {
	w.t.Helper()
	tj := &trainer.TrainJob{}
	if !w.get(tj, "run") {
		w.t.Fatal("there is no TrainJob")
	}
	return tj
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// change edits the JobSet, its status included.
func (w *world) change(edit func(*jobset.JobSet)) {
	w.t.Helper()
	js := &jobset.JobSet{}
	if !w.get(js, "run") {
		w.t.Fatal("there is no JobSet")
	}
	status := js.DeepCopy()
	edit(js)
	edit(status)
	w.must(w.cluster.Update(w.t.Context(), js))
	status.ResourceVersion = js.ResourceVersion
	w.must(w.cluster.Status().Update(w.t.Context(), status))
}

func newJobSet(edit ...func(*jobset.JobSet)) *jobset.JobSet {
	js := &jobset.JobSet{
		ObjectMeta: metav1.ObjectMeta{
			Name: "run", Namespace: "team-a", UID: "js-1", CreationTimestamp: start,
			Labels: map[string]string{marks.TrainJob: "run"}, Annotations: map[string]string{},
		},
		Spec:   jobset.JobSetSpec{ReplicatedJobs: []jobset.ReplicatedJob{nodeJob()}},
		Status: jobset.JobSetStatus{ReplicatedJobsStatus: []jobset.ReplicatedJobStatus{{Name: "node", Ready: 1, Active: 1}}},
	}
	for _, e := range edit {
		e(js)
	}
	return js
}

func nodeJob() jobset.ReplicatedJob {
	template := batchv1.JobTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{marks.Ancestor: "trainer"}}}
	template.Spec.Template.Spec.Containers = []corev1.Container{
		{Name: "node", Image: "example.com/train:1", Command: []string{"torchrun"}, Args: []string{"train.py"}},
	}
	return jobset.ReplicatedJob{Name: "node", Replicas: 1, Template: template}
}

func annotated(key, value string) func(*jobset.JobSet) {
	return func(js *jobset.JobSet) { js.Annotations[key] = value }
}

func completed(js *jobset.JobSet) {
	js.Status.Conditions = []metav1.Condition{{
		Type: "Completed", Status: "True", Reason: "AllJobsCompleted", Message: "jobset completed successfully",
		LastTransitionTime: ended,
	}}
	js.Status.ReplicatedJobsStatus = []jobset.ReplicatedJobStatus{{Name: "node", Succeeded: 1}}
}

func newHandedOver() *trainer.TrainJob {
	manager := marks.MultiKueue
	return &trainer.TrainJob{
		ObjectMeta: metav1.ObjectMeta{Name: "run", Namespace: "team-a", UID: "tj-1"},
		Spec:       trainer.TrainJobSpec{ManagedBy: &manager, RuntimeRef: trainer.RuntimeRef{Name: "torch-distributed"}},
	}
}
