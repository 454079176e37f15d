// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// TestMigration moves a running, a finished and a queued training of the
// Trainer to git and back. No pod of theirs is restarted and none runs twice.
func TestMigration(t *testing.T) {
	t.Parallel()
	site := newSite(t, "runs", "ends", "held")
	running(t, site.namespace, "runs", 2)
	reaches(t, site.namespace, "ends", jobset.JobSetCompleted)
	ran := site.pods()

	// There: the annotations that migrate writes, and one new training.
	mark(t, "migrate", "--from", site.state(), site.git)
	site.commit("next")
	site.sync()
	running(t, site.namespace, "next", 2)
	site.same(ran, "runs", "ends", "held")

	// The queued one starts when its turn comes, under the Trainer, once.
	giveCPUs(t, site.queue)
	running(t, site.namespace, "held", 2)
	ran = site.pods()
	site.sync()
	site.same(ran, "runs", "ends", "held", "next")

	// And back: what was rendered stays as it is until it has ended.
	rendered, _, _ := command(t, site.git)
	kept := ofKind(t, "JobSet", rendered)
	for range reapplies {
		apply(t, flux(false), append(site.unmarked("runs", "held"), kept)...)
	}
	site.same(ran, "runs", "ends", "held", "next")
}

// TestMigrationUnmarked shows what the annotations are for: a running training
// that is rendered without them dies with its TrainJob.
func TestMigrationUnmarked(t *testing.T) {
	t.Parallel()
	site := newSite(t, "runs")
	running(t, site.namespace, "runs", 2)
	ran := site.pods()
	rendered, findings, code := command(t, site.git)
	if code != 0 {
		t.Fatalf("exit %d:\n%s", code, findings)
	}
	// Whether the API server takes the JobSet or not, the TrainJob has left git.
	_, _ = flux(false).apply(t.Context(), rendered)
	prune(t, site.unmarked("runs"))
	eventually(t, func() error {
		if cmp.Equal(ran, site.pods()) {
			return fmt.Errorf("the pods still run")
		}
		return nil
	})
}
