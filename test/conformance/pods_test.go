// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/jobset/pkg/constants"
	"sigs.k8s.io/jobset/pkg/controllers"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/render"
)

// TestJobsAreJobSets holds the Jobs and volume claims that we foretell against
// those that JobSet's own controller makes, for every golden case.
func TestJobsAreJobSets(t *testing.T) {
	var paths []string
	for _, folder := range []string{"render", "pods"} {
		found, err := filepath.Glob("../../testdata/" + folder + "/*/jobset.yaml")
		if err != nil || len(found) == 0 {
			t.Fatalf("find the cases of %s: %v", folder, err)
		}
		paths = append(paths, found...)
	}
	for _, path := range paths {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			js := allAtOnce(readJobSet(t, path))
			want := made(t, js)
			for _, object := range render.Pods(js) {
				got, ok := object.(client.Object)
				if _, isPod := object.(*corev1.Pod); !ok || isPod {
					continue
				}
				compareMade(t, want[got.GetName()], got)
				delete(want, got.GetName())
			}
			for name := range want {
				t.Errorf("JobSet makes %s too", name)
			}
		})
	}
}

func readJobSet(t *testing.T, path string) *jobset.JobSet {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("read the case: %v", err)
	}
	js := &jobset.JobSet{}
	if err := yaml.UnmarshalStrict(text, js); err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
	return js
}

// allAtOnce lets no job wait for another: what a Job looks like does not depend
// on when it is made.
func allAtOnce(js *jobset.JobSet) *jobset.JobSet {
	js.Status, js.Spec.ManagedBy = jobset.JobSetStatus{}, nil
	js.Spec.StartupPolicy = &jobset.StartupPolicy{StartupPolicyOrder: jobset.AnyOrder}
	for i := range js.Spec.ReplicatedJobs {
		r := &js.Spec.ReplicatedJobs[i]
		r.DependsOn, r.Replicas = nil, max(r.Replicas, 1)
		if r.GroupName == "" {
			r.GroupName = "default"
		}
	}
	return js
}

// made are the Jobs and claims that JobSet's controller makes, by name.
func made(t *testing.T, js *jobset.JobSet) map[string]client.Object {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, jobset.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatalf("build the scheme: %v", err)
		}
	}
	c := fake.NewClientBuilder().WithScheme(scheme).WithObjects(js.DeepCopy()).WithStatusSubresource(js).
		WithIndex(&batchv1.Job{}, constants.JobsIndexByJobSetKey, owners).Build()
	r := controllers.NewJobSetReconciler(c, scheme, events.NewFakeRecorder(100))
	if _, err := r.Reconcile(context.Background(), ctrl.Request{NamespacedName: client.ObjectKeyFromObject(js)}); err != nil {
		t.Fatalf("JobSet's controller: %v", err)
	}
	objects := map[string]client.Object{}
	var jobs batchv1.JobList
	var claims corev1.PersistentVolumeClaimList
	for _, list := range []client.ObjectList{&jobs, &claims} {
		if err := c.List(context.Background(), list); err != nil {
			t.Fatalf("list: %v", err)
		}
	}
	for i := range jobs.Items {
		objects[jobs.Items[i].Name] = &jobs.Items[i]
	}
	for i := range claims.Items {
		objects[claims.Items[i].Name] = &claims.Items[i]
	}
	return objects
}

func owners(o client.Object) []string {
	if owner := metav1.GetControllerOf(o); owner != nil {
		return []string{owner.Name}
	}
	return nil
}

// compareMade compares what is left without UIDs, owners and versions.
func compareMade(t *testing.T, want, got client.Object) {
	t.Helper()
	if want == nil {
		t.Errorf("JobSet makes no %s", got.GetName())
		return
	}
	for _, m := range []map[string]string{want.GetLabels(), want.GetAnnotations()} {
		delete(m, jobset.JobSetUIDKey)
	}
	if job, ok := want.(*batchv1.Job); ok {
		delete(job.Spec.Template.Labels, jobset.JobSetUIDKey)
		delete(job.Spec.Template.Annotations, jobset.JobSetUIDKey)
	}
	want.SetOwnerReferences(nil)
	want.SetResourceVersion("")
	want.GetObjectKind().SetGroupVersionKind(got.GetObjectKind().GroupVersionKind())
	if !apiequality.Semantic.DeepEqual(want, got) {
		t.Errorf("%s: JobSet -, we +:\n%s", got.GetName(), cmp.Diff(want, got))
	}
}
