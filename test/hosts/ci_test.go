// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package hosts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/test/hosts/lab"
)

// repository is a clone with a remote, as a pipeline has it.
type repository struct{ dir string }

func newRepository(t *testing.T) repository {
	t.Helper()
	remote, clone := filepath.Join(t.TempDir(), "remote.git"), filepath.Join(t.TempDir(), "clone")
	for _, args := range [][]string{
		{"git", "init", "--quiet", "--bare", "--initial-branch", "main", remote},
		{"git", "clone", "--quiet", remote, clone},
		{"git", "-C", clone, "checkout", "--quiet", "-B", "main"},
		{"git", "-C", clone, "config", "user.name", "pipeline"},
		{"git", "-C", clone, "config", "user.email", "pipeline@example.com"},
	} {
		if _, err := lab.Run(t.Context(), ".", args[0], args[1:]...); err != nil {
			t.Fatal(err)
		}
	}
	return repository{clone}
}

// commit writes a file and commits it.
func (r repository) commit(t *testing.T, name, text string) {
	t.Helper()
	write(t, filepath.Join(r.dir, name), []byte(text))
	r.run(t, "git", "add", ".")
	r.run(t, "git", "commit", "--quiet", "--message", "Edit "+name)
}

func (r repository) run(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := lab.Run(t.Context(), r.dir, program, args...)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestRenderedBranch lives through the life of a branch that CI renders into.
func TestRenderedBranch(t *testing.T) {
	script := filepath.Join(root, "deploy", "ci", "rendered-branch.sh")
	job, err := os.ReadFile(filepath.Join(root, "examples", "argocd", "jobs", "trainjob.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	repo := newRepository(t)
	rendered := func() string {
		repo.run(t, "git", "fetch", "--quiet", "origin", "rendered")
		return repo.run(t, "git", "show", "FETCH_HEAD:trainings.yaml")
	}

	repo.commit(t, "jobs/bert.yaml", string(job))
	repo.run(t, script, "jobs", "rendered", "--profile", "ArgoCD")
	first := rendered()
	want, err := os.ReadFile(filepath.Join(root, "examples", "argocd", "rendered.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), first); diff != "" {
		t.Errorf("the first rendering: %s", diff)
	}

	repo.run(t, script, "jobs", "rendered", "--profile", "None")
	if diff := cmp.Diff(first, rendered()); diff != "" {
		t.Errorf("a run whose TrainJob did not change: %s", diff)
	}
	if commits := repo.run(t, "git", "rev-list", "--count", "FETCH_HEAD"); commits != "1\n" {
		t.Errorf("nothing changed, and the branch has %s commits", commits)
	}

	repo.commit(t, "jobs/gpt.yaml", strings.Replace(string(job), "name: bert", "name: gpt", 1))
	repo.run(t, script, "jobs", "rendered")
	second := rendered()
	if !strings.HasPrefix(second, first) || strings.Count(second, "kind: JobSet") != 2 {
		t.Errorf("a new TrainJob beside one that runs:\n%s", second)
	}

	repo.commit(t, "jobs/bert.yaml", strings.Replace(string(job), "numNodes: 2", "numNodes: 4", 1))
	if _, err := lab.Run(t.Context(), repo.dir, script, "jobs", "rendered"); err == nil {
		t.Error("an edit that a running training can't take passed")
	}
	if diff := cmp.Diff(second, rendered()); diff != "" {
		t.Errorf("a failed rendering was pushed: %s", diff)
	}
	if trees := repo.run(t, "git", "worktree", "list"); strings.Count(trees, "\n") != 1 {
		t.Errorf("work trees are left behind:\n%s", trees)
	}
}

// TestPreCommitHook runs the hook's entry over a package that renders and one
// that does not.
func TestPreCommitHook(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ Entry string }
	if err := yaml.Unmarshal(text, &hooks); err != nil {
		t.Fatal(err)
	}
	entry := strings.Fields(hooks[0].Entry)
	if _, err := lab.Run(t.Context(), root, entry[0], append(entry[1:], "examples/argocd/jobs")...); err != nil {
		t.Error(err)
	}
	if _, err := lab.Run(t.Context(), root, entry[0], append(entry[1:], "examples/reject-in-ci")...); err == nil {
		t.Error("wrong TrainJobs pass the hook")
	}
}

// TestPipelines reads the pipelines of both forges: what they run of ours is
// there, and takes the flags that they give it.
func TestPipelines(t *testing.T) {
	for _, file := range []string{"github-actions.yaml", "gitlab-ci.yaml"} {
		text, err := os.ReadFile(filepath.Join(root, "deploy", "ci", file))
		if err != nil {
			t.Fatal(err)
		}
		var pipeline map[string]any
		if err := yaml.UnmarshalStrict(text, &pipeline); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		ran := 0
		for line := range strings.Lines(string(text)) {
			if _, command, found := strings.Cut(line, "render-trainjob "); found && strings.Contains(command, "jobs") {
				ran++
				command = "render-trainjob " + strings.Replace(command, "jobs", "examples/argocd/jobs", 1)
				if _, err := lab.Run(t.Context(), root, "bash", "-euc", command); err != nil {
					t.Error(err)
				}
			}
		}
		if ran != 1 {
			t.Errorf("%s checks %d times", file, ran)
		}
	}
}
