// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
)

// TestRollback reverts a commit that added a run. diff says beforehand that it
// stops; Flux stops it, and the run that is in both commits does not notice.
func TestRollback(t *testing.T) {
	t.Parallel()
	space := namespace(t)
	repo := t.TempDir()
	git(t, repo, "init", "--quiet")
	for _, name := range []string{"runs", "next"} {
		job := training(t, "runs", called(name), func(job *trainer.TrainJob) { job.Namespace = space }).job
		if err := os.MkdirAll(filepath.Join(repo, "jobs"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(repo, "jobs", name+".yaml"), []byte(text(t, encoded(t, job))), 0o600); err != nil {
			t.Fatal(err)
		}
		git(t, repo, "add", ".")
		git(t, repo, "commit", "--quiet", "--message", name)
	}
	jobs := filepath.Join(repo, "jobs")
	by := kustomizeController(false)
	was, _ := must(t, jobs)
	apply(t, by, was...)
	running(t, space, "runs", 2)
	running(t, space, "next", 2)
	ran := pods(t, space, "runs")

	foretells := func(revisions string) {
		said, findings, code := callIn(t, repo, "diff", "--rev", revisions, "jobs")
		if code != 3 || !strings.Contains(string(said), "next") {
			t.Errorf("diff: exit %d, want 3 and the run's name:\n%s%s", code, said, findings)
		}
	}
	foretells("HEAD..HEAD~1")
	git(t, repo, "revert", "--no-edit", "HEAD")
	foretells("HEAD~1")
	is, _ := must(t, "--previous", files(t, was...), jobs)
	apply(t, by, is...)
	running(t, space, "next", 0)
	if diff := cmp.Diff(ran, pods(t, space, "runs")); diff != "" {
		t.Errorf("the run that is in both commits did not live through it:\n%s", diff)
	}
}

func git(t *testing.T, repo string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = repo
	cmd.Env = append(os.Environ(),
		"GIT_AUTHOR_NAME=e2e", "GIT_AUTHOR_EMAIL=e2e@example.com",
		"GIT_COMMITTER_NAME=e2e", "GIT_COMMITTER_EMAIL=e2e@example.com")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", args[0], err, out)
	}
}
