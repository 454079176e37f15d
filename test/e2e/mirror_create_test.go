// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// asking is a JobSet as the renderer writes it for an MPI job with mirror:
// Create. JobSet's own controller runs it.
func asking(space, name string) *jobset.JobSet {
	js := playedJobSet(space, name)
	js.Spec.ManagedBy = nil
	js.Spec.ReplicatedJobs[0].Template.Spec.Parallelism = new(int32(2))
	js.Spec.ReplicatedJobs[0].Template.Spec.Completions = new(int32(2))
	js.Annotations["trainyard.dev/trainjob-spec"] = `{"runtimeRef":{"name":"` + mirrorRuntime + `"},"trainer":{"numNodes":2}}`
	js.Annotations["trainyard.dev/ssh-auth"] = "generate"
	return js
}

type things struct {
	trainJob *trainer.TrainJob
	secret   *corev1.Secret
}

// made waits for what the mirror makes for a JobSet.
func made(t *testing.T, js *jobset.JobSet) things {
	t.Helper()
	found := things{trainJob: &trainer.TrainJob{}, secret: &corev1.Secret{}}
	eventually(t, func() error {
		if err := typedClient(t).Get(t.Context(), client.ObjectKeyFromObject(js), found.trainJob); err != nil {
			return err
		}
		if !metav1.IsControlledBy(found.trainJob, js) {
			return fmt.Errorf("the TrainJob belongs to %v", found.trainJob.OwnerReferences)
		}
		key := client.ObjectKey{Namespace: js.Namespace, Name: js.Name + "-mpi-ssh-auth"}
		if err := typedClient(t).Get(t.Context(), key, found.secret); err != nil {
			return err
		}
		if !metav1.IsControlledBy(found.secret, js) {
			return fmt.Errorf("the Secret belongs to %v", found.secret.OwnerReferences)
		}
		return nil
	})
	return found
}

func createObject(t *testing.T, o client.Object) {
	t.Helper()
	if err := typedClient(t).Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

// reachesTrainJob waits until a TrainJob says so.
func reachesTrainJob(t *testing.T, space, name string, want func(trainer.TrainJobStatus) error) {
	t.Helper()
	eventually(t, func() error {
		var tj trainer.TrainJob
		if err := typedClient(t).Get(t.Context(), client.ObjectKey{Namespace: space, Name: name}, &tj); err != nil {
			return err
		}
		return want(tj.Status)
	})
}

// TestMirrorMakesTrainJob goes the whole way: the TrainJob and the Secret are
// made, the job runs and ends, and all goes when the JobSet goes. Then the
// JobSet is made anew under its name, before the garbage is collected.
func TestMirrorMakesTrainJob(t *testing.T) {
	space := namespace(t)
	withRuntime(t)
	m := startMirror(t, space)
	m.ready()

	js := asking(space, "mpi")
	createObject(t, js)
	first := made(t, js)
	reachesTrainJob(t, space, "mpi", says(trainer.TrainJobComplete))
	seenBySDK(t, space, "mpi")
	if got := m.proxy.written("/namespaces/" + space + "/trainjobs"); got != 1 {
		t.Errorf("%d TrainJobs were created, want 1", got)
	}
	if got := m.proxy.written("/namespaces/" + space + "/secrets"); got != 1 {
		t.Errorf("%d Secrets were created, want 1", got)
	}

	if err := typedClient(t).Delete(t.Context(), js); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error { return gone(t, duo{client: typedClient(t), namespace: space}, "mpi") })
	again := asking(space, "mpi")
	createObject(t, again)
	second := made(t, again)
	if second.trainJob.UID == first.trainJob.UID || second.secret.UID == first.secret.UID {
		t.Error("the second run has what the first one had")
	}
	reachesTrainJob(t, space, "mpi", says(trainer.TrainJobComplete))

	if err := typedClient(t).Delete(t.Context(), again); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error {
		for _, o := range []client.Object{second.trainJob, second.secret} {
			if err := typedClient(t).Get(t.Context(), client.ObjectKeyFromObject(o), o); !apierrors.IsNotFound(err) {
				return fmt.Errorf("%T %s outlives its JobSet: %v", o, o.GetName(), err)
			}
		}
		return nil
	})
}

// seenBySDK reads what the Kubeflow SDK reads.
func seenBySDK(t *testing.T, space, name string) {
	t.Helper()
	var tj trainer.TrainJob
	if err := typedClient(t).Get(t.Context(), client.ObjectKey{Namespace: space, Name: name}, &tj); err != nil {
		t.Fatal(err)
	}
	if tj.CreationTimestamp.IsZero() || tj.Spec.RuntimeRef.Name != mirrorRuntime || *tj.Spec.Trainer.NumNodes != 2 {
		t.Errorf("the SDK sees %+v", tj.Spec)
	}
	var pods corev1.PodList
	steps, err := metav1.ParseToLabelSelector("jobset.sigs.k8s.io/jobset-name=" + name +
		",jobset.sigs.k8s.io/replicatedjob-name in (dataset-initializer, model-initializer, launcher, node)")
	if err != nil {
		t.Fatal(err)
	}
	selector, err := metav1.LabelSelectorAsSelector(steps)
	if err != nil {
		t.Fatal(err)
	}
	if err := typedClient(t).List(t.Context(), &pods, client.InNamespace(space), client.MatchingLabelsSelector{Selector: selector}); err != nil {
		t.Fatal(err)
	}
	var indexes []string
	for _, pod := range pods.Items {
		indexes = append(indexes, pod.Labels[batchv1.JobCompletionIndexAnnotation])
	}
	if slices.Sort(indexes); !slices.Equal(indexes, []string{"0", "1"}) {
		t.Errorf("the SDK finds the nodes %v, want 0 and 1", indexes)
	}
}

// TestMirrorMeetsDenials: the Trainer's webhook denies a TrainJob whose runtime
// is missing; the reason is said, and the TrainJob comes when the runtime does.
func TestMirrorMeetsDenials(t *testing.T) {
	space := namespace(t)
	m := startMirror(t, space)
	m.ready()
	js := asking(space, "early")
	js.Annotations["trainyard.dev/trainjob-spec"] = `{"runtimeRef":{"name":"c4n4ry","kind":"TrainingRuntime"}}`
	createObject(t, js)
	event := eventOn(t, js, "TrainJobDenied")
	if !strings.Contains(event.Note, "c4n4ry") {
		t.Errorf("the Event does not say why: %s", event.Note)
	}
	if m.logged("c4n4ry") {
		t.Error("the log repeats the annotation")
	}
	createObject(t, trainingRuntime(space, "c4n4ry", metav1.ObjectMeta{}))
	made(t, js)
}

func eventOn(t *testing.T, o client.Object, reason string) *eventsv1.Event {
	t.Helper()
	var found *eventsv1.Event
	eventually(t, func() error {
		var list eventsv1.EventList
		if err := typedClient(t).List(t.Context(), &list, client.InNamespace(o.GetNamespace())); err != nil {
			return err
		}
		for i, event := range list.Items {
			if event.Regarding.UID == o.GetUID() && event.Reason == reason {
				found = &list.Items[i]
				return nil
			}
		}
		return fmt.Errorf("no Event %s on %s", reason, o.GetName())
	})
	return found
}

// TestMirrorBesideKueue: one Workload for a queued JobSet, though its TrainJob
// bears Kueue's integration too; and the TrainJob says that it waits.
func TestMirrorBesideKueue(t *testing.T) {
	space := namespace(t)
	withRuntime(t)
	startMirror(t, space).ready()
	js := asking(space, "queued")
	js.Labels["kueue.x-k8s.io/queue-name"] = "none-of-that-name"
	createObject(t, js)
	found := made(t, js)
	if _, queued := found.trainJob.Labels["kueue.x-k8s.io/queue-name"]; queued {
		t.Error("the TrainJob has the queue's name")
	}
	reachesTrainJob(t, space, "queued", says(trainer.TrainJobSuspended))
	time.Sleep(3 * time.Second)
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(schema.GroupVersionKind{Group: "kueue.x-k8s.io", Version: "v1beta2", Kind: "WorkloadList"})
	if err := cluster.Client.List(t.Context(), list, client.InNamespace(space)); err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != 1 || list.Items[0].GetOwnerReferences()[0].UID != js.UID {
		t.Errorf("%d Workloads, want the JobSet's alone", len(list.Items))
	}
}

// TestMirrorFreesJobs: after its soft TTL a finished run has no Jobs, no pods,
// and is not run again; its TrainJob still tells how it ended.
func TestMirrorFreesJobs(t *testing.T) {
	space := namespace(t)
	withRuntime(t)
	startMirror(t, space, "--soft-ttl").ready()
	js := asking(space, "short")
	js.Annotations["trainyard.dev/soft-ttl-seconds"] = "2"
	createObject(t, js)
	reachesTrainJob(t, space, "short", says(trainer.TrainJobComplete))
	eventually(t, func() error {
		var jobs batchv1.JobList
		if err := typedClient(t).List(t.Context(), &jobs, client.InNamespace(space)); err != nil {
			return err
		}
		if left := len(jobs.Items) + len(pods(t, space, "short")); left > 0 {
			return fmt.Errorf("%d Jobs and pods are left", left)
		}
		return nil
	})
	eventually(t, func() error { // JobSet counts none
		if got := liveJobSet(t, space, "short").Status.ReplicatedJobsStatus[0].Succeeded; got != 0 {
			return fmt.Errorf("JobSet still counts %d", got)
		}
		return nil
	})
	time.Sleep(2 * time.Second)
	if left := len(pods(t, space, "short")); left > 0 {
		t.Error("the training runs again")
	}
	var tj trainer.TrainJob
	if err := typedClient(t).Get(t.Context(), client.ObjectKey{Namespace: space, Name: "short"}, &tj); err != nil {
		t.Fatal(err)
	}
	if got := *tj.Status.JobsStatus[0].Succeeded; got != 1 {
		t.Errorf("the TrainJob counts %d Jobs that succeeded, want 1", got)
	}
}

// TestMirrorIsNotTricked: a tenant's JobSets can't make the mirror touch what
// is not theirs, nor stop it.
func TestMirrorIsNotTricked(t *testing.T) {
	space, other := namespace(t), namespace(t)
	withRuntime(t)
	m := startMirror(t, space)
	m.ready()
	own := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: space, Name: "victim-mpi-ssh-auth"}, StringData: map[string]string{"password": "x"}}
	createObject(t, own)
	attacks := map[string]func(*jobset.JobSet){
		"victim":  func(*jobset.JobSet) {},
		"foreign": func(js *jobset.JobSet) { js.Namespace = other },
		"broken":  func(js *jobset.JobSet) { js.Annotations["trainyard.dev/trainjob-spec"] = "{{" },
		"huge":    func(js *jobset.JobSet) { js.Annotations["trainyard.dev/trainjob-spec"] = strings.Repeat("x", 200<<10) },
		"kind": func(js *jobset.JobSet) {
			js.Annotations["trainyard.dev/trainjob-spec"] = `{"apiVersion":"v1","kind":"Secret","metadata":{"namespace":"` + other + `"}}`
		},
		"invalid": func(js *jobset.JobSet) {
			js.Annotations["trainyard.dev/trainjob-spec"] = `{"activeDeadlineSeconds":-1,"runtimeRef":{"name":"` + mirrorRuntime + `"}}`
		},
		"ssh": func(js *jobset.JobSet) { js.Annotations["trainyard.dev/ssh-auth"] = "../" + other },
	}
	for name, edit := range attacks {
		js := playedJobSet(space, name)
		js.Annotations["trainyard.dev/trainjob-spec"] = `{"runtimeRef":{"name":"` + mirrorRuntime + `"}}`
		js.Annotations["trainyard.dev/ssh-auth"] = "generate"
		js.Labels["trainyard.dev/trainjob"] = "another"
		edit(js)
		createObject(t, js)
		switch name {
		case "broken", "huge", "kind", "ssh":
			eventOn(t, js, "AnnotationRefused")
		case "invalid":
			eventOn(t, js, "TrainJobDenied")
		}
	}
	m.proxy.forget()
	time.Sleep(2 * time.Second)
	if m.proxy.asked > 8 {
		t.Errorf("%d requests in 2 s though nothing changes", m.proxy.asked)
	}
	if left := secretsIn(t, other); len(left) > 0 {
		t.Errorf("Secrets in another namespace: %v", left)
	}
	var kept corev1.Secret
	if err := typedClient(t).Get(t.Context(), client.ObjectKeyFromObject(own), &kept); err != nil {
		t.Fatal(err)
	}
	if kept.ResourceVersion != own.ResourceVersion {
		t.Error("a Secret that existed was touched")
	}
	good := asking(space, "good")
	createObject(t, good)
	made(t, good)
}

// secretsIn are the UIDs of a namespace's Secrets by name.
func secretsIn(t *testing.T, space string) map[string]types.UID {
	t.Helper()
	var list corev1.SecretList
	if err := typedClient(t).List(context.Background(), &list, client.InNamespace(space)); err != nil {
		t.Fatal(err)
	}
	found := map[string]types.UID{}
	for _, secret := range list.Items {
		found[secret.Name] = secret.UID
	}
	return found
}

// TestMirrorManifests: the API server takes every object of deploy/mirror, and
// its pods pass the restricted profile of their namespace.
func TestMirrorManifests(t *testing.T) {
	giveMirrorRights(t)
	objects, err := mirrorManifests()
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range objects {
		err := cluster.Client.Patch(t.Context(), object.DeepCopy(), client.Apply, client.FieldOwner("e2e"), client.ForceOwnership, client.DryRunAll) //nolint:staticcheck // a dry run of an object as it is
		if err != nil {
			t.Errorf("%s %s: %v", object.GetKind(), object.GetName(), err)
		}
		if object.GetKind() != "Deployment" {
			continue
		}
		template, _, err := unstructured.NestedMap(object.Object, "spec", "template")
		if err != nil {
			t.Fatal(err)
		}
		pod := &unstructured.Unstructured{Object: template}
		pod.SetAPIVersion("v1")
		pod.SetKind("Pod")
		pod.SetName("mirror")
		pod.SetNamespace(mirrorNamespace)
		if err := cluster.Client.Create(t.Context(), pod, client.DryRunAll); err != nil {
			t.Error(err)
		}
	}
}
