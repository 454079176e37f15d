// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package hosts_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trainyard/trainyard/fn"
	"github.com/trainyard/trainyard/test/hosts/lab"
)

// TestExamplesInEveryHost takes what each README gives to the command line, its
// files and its flags, and gives it to kustomize and to kpt, with the function
// as a program and as an image. All make the objects of rendered.yaml; what the
// command line refuses, all refuse.
func TestExamplesInEveryHost(t *testing.T) {
	hosts := map[string]func(*testing.T, map[string][]byte, map[string]string, *strings.Replacer) ([]byte, error){
		"kustomize": inKustomize, "kpt": inKpt,
	}
	for _, example := range examples(t) {
		line, isRun := strings.CutPrefix(commands(t, example)[0], goRun)
		if !isRun || !strings.HasPrefix(line, "examples/") && !strings.HasPrefix(line, "--") {
			continue // another program, or a subcommand
		}
		files, options := parse(t, strings.Fields(line))
		rendered, err := os.ReadFile(filepath.Join(example, "rendered.yaml"))
		for host, run := range hosts {
			for form, replacer := range forms {
				t.Run(filepath.Join(filepath.Base(example), host, form), func(t *testing.T) {
					got, errGot := run(t, files, options, replacer)
					switch {
					case (err == nil) != (errGot == nil):
						t.Errorf("rendered.yaml: %v; the host: %v", err, errGot)
					case err == nil:
						if diff := cmp.Diff(objects(t, rendered), objects(t, got)); diff != "" {
							t.Errorf("rendered.yaml -, host +:\n%s", diff)
						}
					}
				})
			}
		}
	}
}

// parse reads a command line: the files, by names that tell them apart, and the
// options as the functionConfig has them.
func parse(t *testing.T, args []string) (files map[string][]byte, options map[string]string) {
	t.Helper()
	files, options = map[string][]byte{}, map[string]string{"builtinRuntimes": "true"}
	for i := 0; i < len(args); i++ {
		if flag, is := strings.CutPrefix(args[i], "--"); is {
			options[keyOf(t, flag)] = args[i+1]
			i++
			continue
		}
		err := filepath.WalkDir(filepath.Join(root, args[i]), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".yaml" {
				return err
			}
			files[fmt.Sprintf("%d-%s", i, entry.Name())], err = os.ReadFile(path)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files, options
}

// keyOf is the option of a flag.
func keyOf(t *testing.T, flag string) string {
	t.Helper()
	for _, key := range fn.Keys() {
		if strings.EqualFold(key.Name, strings.ReplaceAll(flag, "-", "")) {
			return key.Name
		}
	}
	t.Fatalf("there is no option for --%s", flag)
	return ""
}

// inKustomize builds a kustomization of the files.
func inKustomize(t *testing.T, files map[string][]byte, options map[string]string, form *strings.Replacer) ([]byte, error) {
	t.Helper()
	work := t.TempDir()
	resources := "resources:\n"
	for name, text := range files {
		write(t, filepath.Join(work, name), text)
		resources += "- " + name + "\n"
	}
	config := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: render\n  annotations:\n    config.kubernetes.io/function: |\n" +
		"      exec:\n        path: render-trainjob\ndata:\n"
	for key, value := range options {
		config += fmt.Sprintf("  %s: %q\n", key, value)
	}
	write(t, filepath.Join(work, "render.yaml"), []byte(form.Replace(config)))
	write(t, filepath.Join(work, "kustomization.yaml"), []byte(resources+"transformers:\n- render.yaml\n"))
	out, err := lab.Run(t.Context(), work, "kustomize", "build", "--enable-alpha-plugins", "--enable-exec")
	if err != nil && len(out) > 0 {
		t.Errorf("it failed and printed:\n%s", out)
	}
	return out, err
}

// inKpt evaluates the function on a folder of the files, and returns what is not
// marked as a source. What fails changes no file.
func inKpt(t *testing.T, files map[string][]byte, options map[string]string, form *strings.Replacer) ([]byte, error) {
	t.Helper()
	work := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(work, name), text)
	}
	command := strings.Fields(form.Replace("fn eval --image " + lab.Image + " --"))
	for key, value := range options {
		command = append(command, key+"="+value)
	}
	_, err := lab.Run(t.Context(), work, "kpt", command...)
	after := read(t, work)
	if err != nil {
		if diff := cmp.Diff(files, after); diff != "" {
			t.Errorf("it failed and changed files:\n%s", diff)
		}
		return nil, err
	}
	var applied []string
	for _, text := range after {
		for document := range strings.SplitSeq(string(text), "\n---\n") {
			if !strings.Contains(document, "config.kubernetes.io/local-config") {
				applied = append(applied, document)
			}
		}
	}
	return []byte(strings.Join(applied, "\n---\n")), nil
}
