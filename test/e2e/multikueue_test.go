// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"strings"
	"testing"

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
			config := create(t, "multikueueconfig.yaml", nil).GetName()
			check := create(t, "admissioncheck.yaml", map[string]string{"Config": config}).GetName()
			queue := create(t, "multikueue.yaml", map[string]string{"Flavor": flavor(t, "{}"), "Check": check}).GetName()
			localQueue(t, space, "queue", queue)
			objects := rendered(t, space, training(t, "held"), render.Options{})
			apply(t, by, objects...)
			if manager := liveJobSet(t, space, "held").Spec.ManagedBy; manager == nil || *manager != marks.MultiKueue {
				t.Fatalf("managedBy is %v, want Kueue's", manager)
			}
			if disturbed := reapply(t, by, space, objects); len(disturbed) > 0 {
				t.Error(strings.Join(disturbed, "\n"))
			}
		})
	}
}
