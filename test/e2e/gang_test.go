// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"path/filepath"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
)

// TestGangs runs each golden case that has a PodGroup. The API server takes the
// PodGroup, and as many pods carry its mark at one time as it waits for: with
// fewer it would wait for ever.
func TestGangs(t *testing.T) {
	files, err := filepath.Glob("../../testdata/render/*/companions.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no cases with companions: %v", err)
	}
	gangs := 0
	for _, file := range files {
		objects := read(t, file)
		group := kind("PodGroup", objects)
		if group == nil {
			continue
		}
		gangs++
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			objects := in(space, append(read(t, filepath.Join(filepath.Dir(file), "jobset.yaml")), objects...))
			delete(objects[0].Object, "status")
			surroundings(t, space, objects)
			for _, name := range queues(objects) {
				localQueue(t, space, name, clusterQueue(t, flavor(t, "{}"), "64"))
			}
			apply(t, argoServerSide, objects...)
			want, _, _ := unstructured.NestedInt64(group.Object, "spec", "minMember")
			eventually(t, func() error { return together(t, space, group.GetName(), want) })
		})
	}
	if gangs == 0 {
		t.Error("no case has a PodGroup")
	}
}

// together counts the marked pods that are not done: a gang's scheduler holds
// them until all are there.
func together(t *testing.T, namespace, group string, want int64) error {
	t.Helper()
	var all corev1.PodList
	if err := cluster.Client.List(t.Context(), &all, client.InNamespace(namespace), client.HasLabels{jobset.JobSetNameKey}); err != nil {
		return err
	}
	var waiting int64
	for _, pod := range all.Items {
		marked := pod.Annotations[marks.VolcanoGroup] == group || pod.Labels[marks.CoschedGroup] == group
		if marked && pod.Status.Phase != corev1.PodSucceeded {
			waiting++
		}
	}
	if waiting != want {
		return fmt.Errorf("%d pods of the gang are there, the PodGroup waits for %d", waiting, want)
	}
	return nil
}

func kind(kind string, objects []*unstructured.Unstructured) *unstructured.Unstructured {
	for _, object := range objects {
		if object.GetKind() == kind {
			return object
		}
	}
	return nil
}

// TestGangQueue lets Volcano's webhook give a PodGroup the queue of its
// namespace, as it does when a PodGroup is created that names none. Each
// applier leaves that alone; a rendering that names the default queue does not.
func TestGangQueue(t *testing.T) {
	named := func(group *unstructured.Unstructured) { setQueue(group, "default") }
	for _, c := range []struct {
		name, queue string
		by          applier
		naive       func(*unstructured.Unstructured)
	}{
		{"omitted", "team", flux(false), func(*unstructured.Unstructured) {}},
		{"omitted", "team", kustomizeController(false), func(*unstructured.Unstructured) {}},
		{"omitted", "team", argoServerSide, func(*unstructured.Unstructured) {}},
		{"omitted", "team", argoClientSide, func(*unstructured.Unstructured) {}},
		{"named", "default", flux(false), named},
	} {
		t.Run(c.name+"/"+c.by.name, func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			group := in(space, read(t, "../../testdata/render/volcano-limits-only/companions.yaml"))[0]
			c.naive(group)
			apply(t, c.by, group)
			stored := live(t, group)
			if queue(stored) != "default" {
				t.Fatalf("the queue is %q, want the CRD's default", queue(stored))
			}
			setQueue(stored, "team")
			if err := cluster.Client.Update(t.Context(), stored, client.FieldOwner("volcano")); err != nil {
				t.Fatal(err)
			}
			for range reapplies {
				apply(t, c.by, group)
			}
			if got := queue(live(t, group)); got != c.queue {
				t.Errorf("the queue is %q, want %q", got, c.queue)
			}
		})
	}
}

func setQueue(podGroup *unstructured.Unstructured, name string) {
	_ = unstructured.SetNestedField(podGroup.Object, name, "spec", "queue")
}
