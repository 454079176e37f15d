// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package examples_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	_ "github.com/trainyard/trainyard/fn"
	"github.com/trainyard/trainyard/internal/golden"
	_ "github.com/trainyard/trainyard/internal/report"
)

const (
	goRun     = "go run ./cmd/render-trainjob "
	kustomize = "kustomize build --enable-alpha-plugins --enable-exec "
)

// program is the path of render-trainjob, which is built once. It is also on
// the PATH, where kustomize looks for it.
var program string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "examples-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(folder, "render-trainjob")
	build := exec.Command("go", "build", "-o", program, "../cmd/render-trainjob")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	os.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	readSources()
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// readSources lets go test see what the program is made of: it keeps the result
// of a test for as long as the test's imports and the files it reads are the
// same. Package fn, with all below it, is imported for that.
func readSources() {
	files, _ := filepath.Glob("../cmd/render-trainjob/*.go") // the pattern is well formed
	for _, file := range files {
		if _, err := os.ReadFile(file); err != nil {
			panic(err)
		}
	}
}

// TestExamples runs the first command of each README. What it prints is
// rendered.yaml, and what it says is findings.txt.
func TestExamples(t *testing.T) {
	golden.Cases(t, ".", func(t *testing.T, folder string) {
		command := commands(t, folder)[0]
		switch {
		case strings.HasPrefix(command, goRun):
			objects, findings := render(t, strings.Fields(strings.TrimPrefix(command, goRun)))
			golden.File(t, filepath.Join(folder, "rendered.yaml"), objects)
			golden.File(t, filepath.Join(folder, "findings.txt"), findings)
		case strings.HasPrefix(command, kustomize):
			golden.File(t, filepath.Join(folder, "rendered.yaml"), build(t, strings.TrimPrefix(command, kustomize)))
		case command != "go test -v ./examples/go-library":
			t.Errorf("no test runs the command %q", command)
		}
	})
}

// TestRenderedAgain renders each example with what it rendered before: nothing
// changes.
func TestRenderedAgain(t *testing.T) {
	golden.Cases(t, ".", func(t *testing.T, folder string) {
		command, isRun := strings.CutPrefix(commands(t, folder)[0], goRun)
		want, err := os.ReadFile(filepath.Join(folder, "rendered.yaml"))
		if !isRun || errors.Is(err, os.ErrNotExist) {
			return
		}
		got, _ := render(t, append(strings.Fields(command), "--previous", filepath.Join("examples", folder, "rendered.yaml")))
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("before -, after +:\n%s", diff)
		}
	})
}

// TestKustomize builds each example that is a kustomization, and wants the
// objects that the command line makes.
func TestKustomize(t *testing.T) {
	golden.Cases(t, ".", func(t *testing.T, folder string) {
		if _, err := os.Stat(filepath.Join(folder, "kustomization.yaml")); err != nil {
			return
		}
		rendered, err := os.ReadFile(filepath.Join(folder, "rendered.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		got := build(t, filepath.Join("examples", folder))
		if diff := cmp.Diff(objects(t, rendered), objects(t, got)); diff != "" {
			t.Errorf("command line -, kustomize +:\n%s", diff)
		}
	})
}

// commands are the lines of a README's shell blocks.
func commands(t *testing.T, folder string) []string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i, block := range strings.Split(string(readme), "```") {
		if text, isShell := strings.CutPrefix(block, "sh\n"); isShell && i%2 == 1 {
			lines = append(lines, strings.Split(strings.TrimSpace(text), "\n")...)
		}
	}
	if len(lines) == 0 {
		t.Fatal("the README runs nothing")
	}
	return lines
}

// render runs the program at the root of the repository. It exits 1 if and
// only if there is an error among the findings, and then prints no objects.
func render(t *testing.T, args []string) (objects, findings []byte) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command := exec.Command(program, args...)
	command.Dir, command.Stdout, command.Stderr = "..", &stdout, &stderr
	err := command.Run()
	wrong := slices.ContainsFunc(strings.Split(stderr.String(), "\n"), func(line string) bool {
		return strings.HasPrefix(line, "error")
	})
	var exit *exec.ExitError
	switch {
	case err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1):
		t.Fatalf("%v: %s", err, &stderr)
	case wrong != (err != nil) || wrong != (stdout.Len() == 0):
		t.Errorf("exit %v, %d bytes of output, findings:\n%s", err, stdout.Len(), &stderr)
	}
	return stdout.Bytes(), stderr.Bytes()
}

// build is `kustomize build --enable-alpha-plugins --enable-exec` of a path
// from the root of the repository.
func build(t *testing.T, path string) []byte {
	t.Helper()
	options := krusty.MakeDefaultOptions()
	options.PluginConfig = types.EnabledPluginConfig(types.BploUseStaticallyLinked)
	options.PluginConfig.FnpLoadingOptions.EnableExec = true
	resources, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), filepath.Join("..", path))
	if err != nil {
		t.Fatal(err)
	}
	out, err := resources.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func objects(t *testing.T, text []byte) []map[string]any {
	t.Helper()
	var all []map[string]any
	for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
		var object map[string]any
		if err := yaml.Unmarshal(document, &object); err != nil {
			t.Fatal(err)
		}
		all = append(all, object)
	}
	return all
}
