// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/test/e2e/plane"
)

// buildCommand builds render-trainjob once.
var buildCommand = sync.OnceValues(func() (string, error) {
	program := filepath.Join(cluster.Dir, "render-trainjob")
	build := exec.Command("go", "build", "-o", program, "./cmd/render-trainjob")
	build.Dir = filepath.Join("..", "..")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build render-trainjob: %w\n%s", err, out)
	}
	return program, nil
})

// call runs render-trainjob and returns what it printed, its findings and its
// exit code.
func call(t *testing.T, args ...string) (out []byte, findings string, code int) {
	t.Helper()
	return callIn(t, "", args...)
}

// callIn does so in a folder.
func callIn(t *testing.T, dir string, args ...string) (out []byte, findings string, code int) {
	t.Helper()
	program, err := buildCommand()
	if err != nil {
		t.Fatal(err)
	}
	var printed, notes bytes.Buffer
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &printed, &notes
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return printed.Bytes(), notes.String(), cmd.ProcessState.ExitCode()
}

// command renders and returns the objects, the findings and the exit code.
func command(t *testing.T, args ...string) (objects []*unstructured.Unstructured, findings string, code int) {
	t.Helper()
	out, findings, code := call(t, args...)
	objects, err := plane.Decode(out)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return objects, findings, code
}

// mark lets a command of render-trainjob write annotations into files.
func mark(t *testing.T, args ...string) {
	t.Helper()
	if out, said, code := call(t, args...); code != 0 {
		t.Fatalf("%s: exit %d:\n%s%s", args[0], code, out, said)
	}
}

// files writes objects to a folder, one file each.
func files(t *testing.T, objects ...*unstructured.Unstructured) string {
	t.Helper()
	dir := t.TempDir()
	for i, object := range objects {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.yaml", i)), []byte(text(t, object)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// text is an object as YAML.
func text(t *testing.T, object *unstructured.Unstructured) string {
	t.Helper()
	written, err := yaml.Marshal(object.Object)
	if err != nil {
		t.Fatal(err)
	}
	return string(written)
}
