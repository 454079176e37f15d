// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package policyengine asks the real conftest about the pods of an example.
package policyengine

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the wanted file")

const example = "examples/policy-engine/"

// TestConftest wants of conftest what the example says.
func TestConftest(t *testing.T) {
	pods := exec.Command("go", "run", "./cmd/render-trainjob", "pods", example+"trainjob.yaml", example+"runtime.yaml")
	pods.Dir, pods.Stderr = "../..", os.Stderr
	manifests, err := pods.Output()
	if err != nil {
		t.Fatalf("pods: %v", err)
	}
	conftest := exec.Command("go", "tool", "conftest", "test", "--no-color", "--policy", "../../"+example+"policy", "-")
	conftest.Stdin, conftest.Stderr = bytes.NewReader(manifests), os.Stderr
	got, err := conftest.Output()
	var refused *exec.ExitError
	if !errors.As(err, &refused) || refused.ExitCode() != 1 {
		t.Errorf("conftest must refuse the pods; it ended with %v", err)
	}
	wanted := "../../" + example + "conftest.txt"
	if *update {
		if err := os.WriteFile(wanted, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(wanted)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("conftest said\n%s\nwanted\n%s", got, want)
	}
}
