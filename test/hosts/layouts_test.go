// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package hosts_test

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trainyard/trainyard/internal/golden"
	"github.com/trainyard/trainyard/test/hosts/lab"
)

// forms are the two ways in which a host runs the function. The layouts are
// written with the program for kustomize and with the image for kpt.
var forms = map[string]*strings.Replacer{
	"program": strings.NewReplacer(
		"image: "+lab.Image, "exec: render-trainjob",
		"--image "+lab.Image, "--exec render-trainjob"),
	"image": strings.NewReplacer(
		"exec:\n        path: render-trainjob", "container:\n        image: "+lab.Image),
}

// neutral takes out of an outcome what tells one form from the other, and how
// long it took. kpt ends what a program says with one line end more than what
// an image says.
func neutral(text []byte) []byte {
	text = durations.ReplaceAll(text, nil)
	return []byte(strings.NewReplacer(
		"image: "+lab.Image, "exec: render-trainjob",
		`"`+lab.Image+`"`, `"render-trainjob"`,
		"    \"\"\n", "",
		"stderr: |-\n", "stderr: |\n").Replace(string(text)))
}

var durations = regexp.MustCompile(`(?m) in [0-9.]+m?s$`)

// TestLayouts runs each layout in each form.
func TestLayouts(t *testing.T) {
	for _, form := range slices.Sorted(maps.Keys(forms)) {
		t.Run(form, func(t *testing.T) {
			golden.Cases(t, "testdata", func(t *testing.T, folder string) {
				layout(t, folder, forms[form])
			})
		})
	}
}

func layout(t *testing.T, folder string, form *strings.Replacer) {
	t.Helper()
	work := filepath.Join(t.TempDir(), "given")
	given := read(t, filepath.Join(folder, "given"))
	for name, text := range given {
		given[name] = []byte(form.Replace(string(text)))
		write(t, filepath.Join(work, name), given[name])
	}
	deploy(t, filepath.Join(work, "..", "deploy"))
	script, err := os.ReadFile(filepath.Join(folder, "run"))
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", form.Replace(string(script)))
	cmd.Dir, cmd.Stdout, cmd.Stderr = work, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, &stdout, &stderr)
	}
	golden.File(t, filepath.Join(folder, "stdout.yaml"), neutral(stdout.Bytes()))
	golden.File(t, filepath.Join(folder, "stderr.txt"), neutral(stderr.Bytes()))
	changes(t, filepath.Join(folder, "wanted"), given, read(t, work))
}

// deploy puts a copy of the component for kustomize where layouts and examples
// look for it.
func deploy(t *testing.T, folder string) {
	t.Helper()
	for name, text := range read(t, filepath.Join(root, "deploy", "kustomize")) {
		write(t, filepath.Join(folder, "kustomize", name), text)
	}
}

// changes holds the files that are new or other than before against those of a
// folder. One that is gone leaves a note there.
func changes(t *testing.T, folder string, before, after map[string][]byte) {
	t.Helper()
	changed := map[string][]byte{}
	for name, text := range after {
		if was, there := before[name]; !there || !bytes.Equal(was, text) {
			changed[name] = neutral(text)
		}
	}
	for name := range before {
		if _, there := after[name]; !there {
			changed[name+".gone"] = []byte("deleted\n")
		}
	}
	for name := range read(t, folder) {
		if _, came := changed[name]; !came {
			changed[name] = nil // wanted, so it must have come about
		}
	}
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		golden.File(t, filepath.Join(folder, name), changed[name])
	}
}

// read returns the files of a folder by their names in it; none if there is no
// such folder.
func read(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	if _, err := os.Stat(folder); os.IsNotExist(err) {
		return files
	}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		files[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
