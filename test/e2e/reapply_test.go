// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/trainyard/trainyard/render"
)

// reapplies is how often an applier comes back to a training.
const reapplies = 10

// gpuFlavor adds to the pods of what it admits.
const gpuFlavor = "{nodeLabels: {kubernetes.io/arch: amd64}, tolerations: [{key: example.com/gpu, operator: Exists}]}"

// TestReapply lets each applier come back to a queued and to an admitted
// training. Nothing may happen to it.
func TestReapply(t *testing.T) {
	for _, file := range []string{"held", "choosy"} {
		for _, by := range appliers() {
			if file == "choosy" && by.name == argoServerSide.name {
				continue // TestCollision: no profile helps there, a warning says so
			}
			t.Run(file+"/"+by.name, func(t *testing.T) {
				t.Parallel()
				space := namespace(t)
				objects := rendered(t, space, training(t, file), render.Options{})
				if disturbed := admitAndReapply(t, by, space, objects); len(disturbed) > 0 {
					t.Error(strings.Join(disturbed, "\n"))
				}
			})
		}
	}
}

// TestNaiveReapply shows what TestReapply would find in other renderings.
func TestNaiveReapply(t *testing.T) {
	for _, c := range []struct {
		name, file, want string
		by               applier
		naive            func(jobSet *unstructured.Unstructured)
	}{
		{"suspend-true", "held", "pods changed", flux(false), suspend(true)},
		{"suspend-true", "held", "pods changed", argoServerSide, suspend(true)},
		{"suspend-false", "held", "pods changed", flux(false), suspend(false)},
		{"no-profile", "choosy", "refused", flux(false), withoutAnnotations},
		{"no-profile", "choosy", "another object", flux(true), withoutAnnotations},
		{"suspend-true", "held", "pods changed", kustomizeController(false), suspend(true)},
		{"suspend-false", "held", "pods changed", kustomizeController(false), suspend(false)},
		{"no-profile", "choosy", "refused", kustomizeController(false), withoutAnnotations},
		{"no-profile", "choosy", "another object", kustomizeController(true), withoutAnnotations},
	} {
		t.Run(c.name+"/"+c.by.name, func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			objects := rendered(t, space, training(t, c.file), render.Options{})
			c.naive(objects[0])
			disturbed := admitAndReapply(t, c.by, space, objects)
			if !slices.ContainsFunc(disturbed, func(what string) bool { return strings.Contains(what, c.want) }) {
				t.Errorf("want a disturbance %q, got %q", c.want, disturbed)
			}
		})
	}
}

// TestCollision shows what the warning about tolerations under a queue says,
// and what Argo CD's client-side sync comes to: a refusal that harms nothing.
func TestCollision(t *testing.T) {
	for _, c := range []struct {
		file string
		by   applier
	}{{"choosy", argoServerSide}, {"held", argoClientSide}} {
		t.Run(c.file+"/"+c.by.name, func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			objects := rendered(t, space, training(t, c.file), render.Options{})
			disturbed := admitAndReapply(t, c.by, space, objects)
			done := func(what string) bool { return !strings.Contains(what, "refused") }
			if len(disturbed) != reapplies || slices.ContainsFunc(disturbed, done) {
				t.Errorf("want %d refusals of the admitted JobSet and nothing else, got %q", reapplies, disturbed)
			}
		})
	}
}

func suspend(value bool) func(*unstructured.Unstructured) {
	return func(jobSet *unstructured.Unstructured) {
		_ = unstructured.SetNestedField(jobSet.Object, value, "spec", "suspend")
	}
}

func withoutAnnotations(jobSet *unstructured.Unstructured) { jobSet.SetAnnotations(nil) }

// admitAndReapply applies a training of two pods, again while it is queued and
// again when Kueue has admitted it, and tells what that did to it.
func admitAndReapply(t *testing.T, by applier, space string, objects []*unstructured.Unstructured) []string {
	t.Helper()
	name := objects[0].GetName()
	queue := clusterQueue(t, flavor(t, gpuFlavor), "0")
	localQueue(t, space, "queue", queue)
	apply(t, by, objects...)
	disturbed := reapply(t, by, space, objects)
	giveCPUs(t, queue)
	running(t, space, name, 2)
	return append(disturbed, reapply(t, by, space, objects)...)
}

// reapply applies objects again and again and tells what changed.
func reapply(t *testing.T, by applier, space string, objects []*unstructured.Unstructured) []string {
	t.Helper()
	name := objects[0].GetName()
	was, ran := liveJobSet(t, space, name), pods(t, space, name)
	var disturbed []string
	for i := range reapplies {
		note := func(format string, args ...any) {
			disturbed = append(disturbed, fmt.Sprintf("%s, apply %d: %s", by.name, i+2, fmt.Sprintf(format, args...)))
		}
		done, err := by.apply(t.Context(), objects)
		if err != nil {
			note("refused: %v", err)
		}
		if slices.Contains(done, "configured") || slices.Contains(done, "created") {
			note("it wrote: %v", done)
		}
		time.Sleep(300 * time.Millisecond)
		is := liveJobSet(t, space, name)
		if is.UID != was.UID {
			note("another object stands in its place")
		}
		if diff := cmp.Diff(was.Spec, is.Spec); diff != "" {
			note("the spec changed:\n%s", diff)
		} else if is.Generation != was.Generation {
			note("the spec changed and changed back")
		}
		if diff := cmp.Diff(ran, pods(t, space, name)); diff != "" {
			note("the pods changed:\n%s", diff)
		}
	}
	return disturbed
}
