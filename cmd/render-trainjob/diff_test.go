// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) { runCases(t, "../../testdata/diff") }

// screen is how many lines a terminal shows.
const screen = 50

// TestDiffOfManyRuns: an edit of a runtime that 200 TrainJobs name reads in one
// screen.
func TestDiffOfManyRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "jobs.yaml", jobs(200))
	write(t, "old.yaml", runtimeOf("torch:1"))
	write(t, "new.yaml", runtimeOf("torch:2"))
	for _, side := range []string{"old", "new"} {
		rendered, findings, code := call(nil, "jobs.yaml", side+".yaml")
		if code != exitOK {
			t.Fatalf("render: %s", findings)
		}
		write(t, side+"-rendered.yaml", string(rendered))
	}
	out, findings, code := call(nil, "diff", "old-rendered.yaml", "new-rendered.yaml")
	if code != exitStops {
		t.Fatalf("exit code %d, want %d: %s", code, exitStops, findings)
	}
	lines := bytes.Count(out, []byte("\n"))
	if lines > screen || !strings.Contains(string(out), "200 runs stop and restart") || strings.Count(string(out), "torch:1") != 1 {
		t.Errorf("want one change in at most %d lines, got %d:\n%s", screen, lines, out)
	}
}

// TestDiffOfRevisions compares what git holds with what git holds, and with the
// files as they are.
func TestDiffOfRevisions(t *testing.T) {
	t.Chdir(t.TempDir())
	git := func(args ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "--quiet", "--initial-branch=main")
	write(t, "jobs/jobs.yaml", jobs(1))
	write(t, "runtime.yaml", runtimeOf("torch:1"))
	git("add", ".")
	git("commit", "--quiet", "--message=one")
	write(t, "runtime.yaml", runtimeOf("torch:2"))
	git("commit", "--quiet", "--all", "--message=two")
	write(t, "runtime.yaml", runtimeOf("torch:3"))
	for _, tc := range []struct{ rev, want string }{
		{"main~..main", `"torch:1" → "torch:2"`},
		{"main", `"torch:2" → "torch:3"`},
	} {
		out, findings, code := call(nil, "diff", "--rev", tc.rev, "jobs", "runtime.yaml")
		if code != exitStops || !strings.Contains(string(out), tc.want) {
			t.Errorf("--rev %s: exit code %d, want %s in\n%s%s", tc.rev, code, tc.want, out, findings)
		}
	}
	if out, findings, code := call(nil, "diff", "--rev", "nowhere", "jobs"); code != exitUsage || !strings.Contains(string(findings), "nowhere") {
		t.Errorf("a revision that is not there: exit code %d, %s%s", code, out, findings)
	}
}

func jobs(n int) string {
	var texts []string
	for i := range n {
		texts = append(texts, fmt.Sprintf(`apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: run-%03d, namespace: team-a}
spec:
  runtimeRef: {name: torch}
`, i))
	}
	return strings.Join(texts, "---\n")
}

func runtimeOf(image string) string {
	return fmt.Sprintf(`apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: torch}
spec:
  mlPolicy: {torch: {}}
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec: {template: {spec: {containers: [{name: node, image: %q, resources: {limits: {cpu: 1}}}]}}}
`, image)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if dir, _, nested := strings.Cut(path, "/"); nested {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
