// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render"
)

// TestRestore loses a namespace and gets it back from git. What done marked as
// completed does not run again; what is not marked does.
func TestRestore(t *testing.T) {
	for name, marked := range map[string]bool{"marked": true, "unmarked": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := site{t: t, git: t.TempDir(), namespace: "restore-" + name}
			ensureSpace := func() { ensure(t, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: s.namespace}}) }
			ensureSpace()
			t.Cleanup(func() {
				_ = cluster.Client.Delete(context.Background(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: s.namespace}})
			})
			s.commit("ends")
			s.sync()
			reaches(t, s.namespace, "ends", jobset.JobSetCompleted)
			if marked {
				mark(t, "done", "--from", s.state(), s.git)
			}
			lose(t, s.namespace)
			ensureSpace()
			s.sync()
			var again jobset.JobSetList
			if err := cluster.Client.List(t.Context(), &again, client.InNamespace(s.namespace)); err != nil {
				t.Fatal(err)
			}
			if ran := len(again.Items) > 0; ran == marked {
				t.Errorf("runs again: %t, marked: %t", ran, marked)
			}
		})
	}
}

// lose deletes a namespace and waits until it is gone.
func lose(t *testing.T, name string) {
	t.Helper()
	if err := cluster.Client.Delete(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error {
		err := cluster.Client.Get(t.Context(), client.ObjectKey{Name: name}, &corev1.Namespace{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return errRunning
	})
}

// TestHold restores a run into a queue that holds. It waits until somebody has
// looked.
func TestHold(t *testing.T) {
	t.Parallel()
	space := namespace(t)
	name := clusterQueue(t, flavor(t, "{}"), "64")
	localQueue(t, space, "queue", name)
	setStopPolicy(t, name, "Hold")
	objects := rendered(t, space, training(t, "held"), render.Options{})
	apply(t, flux(false), objects...)
	if disturbed := reapply(t, flux(false), space, objects); len(disturbed) > 0 {
		t.Error(strings.Join(disturbed, "\n"))
	}
	if ran := pods(t, space, "held"); len(ran) > 0 {
		t.Errorf("it runs although its queue holds: %v", ran)
	}
	setStopPolicy(t, name, "None")
	running(t, space, "held", 2)
}
