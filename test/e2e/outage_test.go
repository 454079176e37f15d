// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	admission "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render"
)

// TestKueueDown: without Kueue nothing new starts past the queue, what runs goes
// on, and what waits is admitted when it is back.
func TestKueueDown(t *testing.T) {
	space := namespace(t)
	localQueue(t, space, "queue", clusterQueue(t, flavor(t, gpuFlavor), "64"))
	first := rendered(t, space, training(t, "held"), render.Options{})
	apply(t, flux(false), first...)
	running(t, space, "held", 2)
	ran := pods(t, space, "held")
	second := rendered(t, space, training(t, "held", called("later")), render.Options{})

	err := cluster.RestartController(t.Context(), "kueue", func() { refusedNewStillRuns(t, space, first, second) })
	if err != nil {
		t.Fatal(err)
	}
	apply(t, flux(false), append(first, second...)...)
	running(t, space, "later", 2)
	if diff := cmp.Diff(ran, pods(t, space, "held")); diff != "" {
		t.Errorf("the run did not live through it:\n%s", diff)
	}
}

// TestKueueFailsOpen shows what TestKueueDown relies on: where Kueue's webhooks
// are passed over when they do not answer, a queued training starts at once.
// With the admission policy it does not.
func TestKueueFailsOpen(t *testing.T) {
	space := namespace(t)
	localQueue(t, space, "queue", clusterQueue(t, flavor(t, gpuFlavor), "0"))
	objects := rendered(t, space, training(t, "held"), render.Options{})
	failOpen(t, "kueue")
	err := cluster.RestartController(t.Context(), "kueue", func() {
		install(t, "../../deploy/admission/*.yaml")
		eventually(t, func() error { return refusedByPolicy(t, objects[0]) })
		remove(t, "../../deploy/admission/*.yaml")
		eventually(t, func() error {
			_, err := flux(false).apply(t.Context(), objects)
			return err
		})
		running(t, space, "held", 2)
	})
	if err != nil {
		t.Fatal(err)
	}
	running(t, space, "held", 0) // Kueue takes it back
}

// failOpen passes a controller's webhooks over while they do not answer, until
// the test ends.
func failOpen(t *testing.T, name string) {
	t.Helper()
	set := func(ctx context.Context, policy admission.FailurePolicyType) {
		var mutating admission.MutatingWebhookConfiguration
		var validating admission.ValidatingWebhookConfiguration
		for _, object := range []client.Object{&mutating, &validating} {
			if err := cluster.Client.Get(ctx, client.ObjectKey{Name: name}, object); err != nil {
				t.Fatal(err)
			}
		}
		for i := range mutating.Webhooks {
			mutating.Webhooks[i].FailurePolicy = &policy
		}
		for i := range validating.Webhooks {
			validating.Webhooks[i].FailurePolicy = &policy
		}
		for _, object := range []client.Object{&mutating, &validating} {
			if err := cluster.Client.Update(ctx, object); err != nil {
				t.Fatal(err)
			}
		}
	}
	set(t.Context(), admission.Ignore)
	t.Cleanup(func() { set(context.Background(), admission.Fail) })
}

func refusedNewStillRuns(t *testing.T, space string, first, second []*unstructured.Unstructured) {
	t.Helper()
	if _, err := flux(false).apply(t.Context(), second); err == nil {
		t.Error("a queued JobSet was created without Kueue")
	}
	was := pods(t, space, first[0].GetName())
	time.Sleep(2 * time.Second)
	if diff := cmp.Diff(was, pods(t, space, first[0].GetName())); diff != "" {
		t.Errorf("the pods changed without Kueue:\n%s", diff)
	}
}

// TestJobSetDown: without JobSet's controller nothing new is created, running
// pods go on to their end, and the status follows when it is back.
func TestJobSetDown(t *testing.T) {
	space := namespace(t)
	apply(t, flux(false), rendered(t, space, training(t, "ends"), render.Options{})...)
	running(t, space, "ends", 2)
	other := rendered(t, space, training(t, "runs"), render.Options{})

	err := cluster.RestartController(t.Context(), "jobset", func() {
		if _, err := flux(false).apply(t.Context(), other); err == nil {
			t.Error("a JobSet was created without its webhook")
		}
		eventually(t, func() error {
			for _, phase := range pods(t, space, "ends") {
				if phase != corev1.PodSucceeded {
					return errRunning
				}
			}
			return nil
		})
		if state := liveJobSet(t, space, "ends").Status.TerminalState; state != "" {
			t.Errorf("the JobSet is %s without its controller", state)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	reaches(t, space, "ends", jobset.JobSetCompleted)
}
