// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render"
)

// afterwards is how often an applier comes back to a finished training.
const afterwards = 60

// TestRunOnce lets a training end whose runtime deletes it afterwards. Applied
// again and again, it must not run a second time; with the TTL kept it does.
func TestRunOnce(t *testing.T) {
	for name, c := range map[string]struct {
		ttl   render.TTL
		again bool
	}{
		"stripped": {render.TTLStrip, false},
		"kept":     {render.TTLKeep, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			objects := rendered(t, space, training(t, "short-lived"), render.Options{TTL: c.ttl})
			runs := map[string]bool{}
			apply(t, flux(false), objects...)
			eventually(t, func() error { return ended(t, objects[0]) })
			for range afterwards {
				for pod := range pods(t, space, "run") {
					runs[pod] = true
				}
				apply(t, flux(false), objects...)
				time.Sleep(300 * time.Millisecond)
			}
			if again := len(runs) > 1; again != c.again {
				t.Errorf("ran again: %t, want %t: a run of one pod had %d", again, c.again, len(runs))
			}
		})
	}
}

// ended is nil when a JobSet has a terminal state, or its TTL took it already.
func ended(t *testing.T, jobSet *unstructured.Unstructured) error {
	t.Helper()
	var found jobset.JobSet
	err := cluster.Client.Get(t.Context(), client.ObjectKeyFromObject(jobSet), &found)
	if err == nil && found.Status.TerminalState == "" {
		return errRunning
	}
	return client.IgnoreNotFound(err)
}

// TestDeadline lets a training pass its deadline. It fails once and stays
// failed although its runtime restarts what fails; without the rule that the
// renderer puts first it is restarted.
func TestDeadline(t *testing.T) {
	for name, c := range map[string]struct {
		rules    func(*unstructured.Unstructured)
		restarts bool
	}{
		"rule":    {func(*unstructured.Unstructured) {}, false},
		"no-rule": {withoutFailureRules, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			objects := rendered(t, space, training(t, "deadline"), render.Options{})
			c.rules(objects[0])
			apply(t, flux(false), objects...)
			var did []string
			eventually(t, func() error {
				did = append(did, apply(t, flux(false), objects...)...)
				found := liveJobSet(t, space, "run")
				if found.Status.TerminalState == "" && found.Status.Restarts == 0 {
					return errRunning
				}
				return nil
			})
			found := liveJobSet(t, space, "run")
			if restarted := found.Status.Restarts > 0; restarted != c.restarts {
				t.Errorf("restarted: %t, want %t: %+v", restarted, c.restarts, found.Status)
			}
			if c.restarts {
				return
			}
			for range reapplies {
				did = append(did, apply(t, flux(false), objects...)...)
			}
			if still := liveJobSet(t, space, "run"); still.Status.TerminalState != string(jobset.JobSetFailed) || still.UID != found.UID {
				t.Errorf("want the same JobSet, failed; got %+v", still.Status)
			}
			if slices.Contains(did, "configured") || slices.Contains(did, "created") {
				t.Errorf("the applier wrote: %v", did)
			}
		})
	}
}

func withoutFailureRules(jobSet *unstructured.Unstructured) {
	unstructured.RemoveNestedField(jobSet.Object, "spec", "failurePolicy", "rules")
}
