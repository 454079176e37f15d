// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render"
)

// TestMultiKueue queues a training for another cluster. Kueue takes it over,
// and the appliers leave that alone.
func TestMultiKueue(t *testing.T) {
	for _, by := range appliers() {
		t.Run(by.name, func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			objects := rendered(t, space, training(t, "held"), render.Options{})
			if manager := manager(t, by, space, objects); manager != marks.MultiKueue {
				t.Fatalf("managedBy is %q, want Kueue's", manager)
			}
			if disturbed := reapply(t, by, space, objects); len(disturbed) > 0 {
				t.Error(strings.Join(disturbed, "\n"))
			}
		})
	}
}

// TestNaiveMultiKueue: where git names a manager, Kueue takes over all the same,
// and the applier is refused each time it comes back.
func TestNaiveMultiKueue(t *testing.T) {
	t.Parallel()
	space := namespace(t)
	objects := rendered(t, space, training(t, "held"), render.Options{})
	_ = unstructured.SetNestedField(objects[0].Object, jobset.JobSetControllerName, "spec", "managedBy")
	if manager := manager(t, flux(false), space, objects); manager != marks.MultiKueue {
		t.Fatalf("managedBy is %q, want Kueue's", manager)
	}
	disturbed := reapply(t, flux(false), space, objects)
	if n := strings.Count(strings.Join(disturbed, "\n"), "refused"); n < reapplies {
		t.Errorf("want %d refusals, got %q", reapplies, disturbed)
	}
}

// manager applies a training to a MultiKueue queue and says who manages it.
func manager(t *testing.T, by applier, space string, objects []*unstructured.Unstructured) string {
	t.Helper()
	config := create(t, "multikueueconfig.yaml", nil).GetName()
	check := create(t, "admissioncheck.yaml", map[string]string{"Config": config}).GetName()
	queue := create(t, "multikueue.yaml", map[string]string{"Flavor": flavor(t, "{}"), "Check": check}).GetName()
	localQueue(t, space, "queue", queue)
	apply(t, by, objects...)
	manager, _, _ := unstructured.NestedString(live(t, objects[0]).Object, "spec", "managedBy")
	return manager
}
