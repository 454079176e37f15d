// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/fn"
	"github.com/trainyard/trainyard/internal/golden"
	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/report"
	"github.com/trainyard/trainyard/render/finding"
)

func TestExplain(t *testing.T) { runCases(t, "../../testdata/explain") }

// TestExplainKnowsEveryLeaf: every value of everything that is rendered has a
// source, and the comments change nothing of what the YAML says.
func TestExplainKnowsEveryLeaf(t *testing.T) {
	golden.Cases(t, "../../testdata/render", func(t *testing.T, folder string) {
		objects := explainedCase(t, folder)
		for _, object := range objects {
			var text bytes.Buffer
			if err := report.Explain(&text, []report.Explained{object}, false); err != nil {
				t.Fatal(err)
			}
			checkExplained(t, object.Text, text.Bytes())
		}
	})
}

// TestExplainKnowsEveryLeafOfTheExamples does the same with the command of each
// example's README.
func TestExplainKnowsEveryLeafOfTheExamples(t *testing.T) {
	t.Chdir("../..")
	readmes, err := filepath.Glob("examples/*/README.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, readme := range readmes {
		_, command, found := strings.Cut(string(read(t, readme)), "go run ./cmd/render-trainjob ")
		line, _, _ := strings.Cut(command, "\n")
		if word, _, _ := strings.Cut(line, " "); !strings.ContainsAny(word, "/-") {
			continue // another subcommand
		}
		plain, _, code := call(nil, strings.Fields(line)...)
		if !found || code != exitOK {
			continue // no rendering, or one that is refused
		}
		explained, _, _ := call(nil, append([]string{"explain"}, strings.Fields(line)...)...)
		before, after := bytes.Split(plain, []byte("---\n")), bytes.Split(explained, []byte("---\n"))
		if len(before) != len(after) {
			t.Fatalf("%s: %d objects rendered, %d explained", readme, len(before), len(after))
		}
		for i := range before {
			if bytes.Contains(before[i], []byte("trainyard.dev/trainjob: ")) {
				checkExplained(t, before[i], after[i])
				checked++
			}
		}
	}
	if checked < 5 {
		t.Errorf("only %d objects of the examples were explained", checked)
	}
}

func checkExplained(t *testing.T, plain, explained []byte) {
	t.Helper()
	root, before := parse(t, explained), parse(t, plain)
	if diff := cmp.Diff(asJSON(before), asJSON(root)); diff != "" {
		t.Errorf("with its comments it says something else:\n%s", diff)
	}
	lines := strings.Split(string(explained), "\n")
	for _, line := range leafLines(root) {
		if _, comment, _ := strings.Cut(lines[line-1], " # "); comment == "" || comment == "several" {
			t.Errorf("nobody is said to have set %q", lines[line-1])
		}
	}
}

func explainedCase(t *testing.T, folder string) []report.Explained {
	t.Helper()
	paths := []string{filepath.Join(folder, "trainjob.yaml")}
	if file := filepath.Join(folder, "runtime.yaml"); len(read(t, file)) > 0 {
		paths = append(paths, file)
	}
	items, _, err := readPaths(nil, paths)
	if err != nil {
		t.Fatalf("read the case: %v", err)
	}
	config := fn.Config{BuiltinRuntimes: true, Sources: fn.SourcesDrop}
	if err := sigsyaml.Unmarshal(read(t, filepath.Join(folder, "options.yaml")), &config.Render); err != nil {
		t.Fatalf("read the options: %v", err)
	}
	config.Render.Explain = true
	out := fn.Transform(fn.Input{Items: items, Config: config})
	if finding.Blocking(out.Findings) {
		return nil
	}
	return explained(out)
}

func parse(t *testing.T, text []byte) *yaml.Node {
	t.Helper()
	root, err := manifest.Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return root
}

func asJSON(root *yaml.Node) string {
	document, _ := manifest.JSON(root)
	return string(document)
}

// leafLines are the lines on which values stand or begin.
func leafLines(node *yaml.Node) []int {
	switch {
	case node.Kind == yaml.ScalarNode || len(node.Content) == 0:
		return []int{node.Line}
	case node.Kind == yaml.MappingNode:
		var lines []int
		for i := 1; i < len(node.Content); i += 2 {
			lines = append(lines, leafLines(node.Content[i])...)
		}
		return lines
	default:
		var lines []int
		for _, item := range node.Content {
			lines = append(lines, leafLines(item)...)
		}
		return lines
	}
}
