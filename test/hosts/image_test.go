// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package hosts_test

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trainyard/trainyard/test/hosts/lab"
)

const (
	mib         = 1 << 20
	largestSize = 25 * mib // of an image
	goRun       = "go run ./cmd/render-trainjob "
)

// TestImages looks into both images: small, nobody's, and without a shell.
func TestImages(t *testing.T) {
	for _, program := range []string{"render-trainjob", "mirror-trainjob-status"} {
		image := "ghcr.io/trainyard/" + program + ":v0.1.0"
		said := docker(t, "image", "inspect", "--format", "{{.Size}} {{.Config.User}} {{.Config.Entrypoint}}", image)
		words := strings.Fields(said)
		if size, err := strconv.Atoi(words[0]); err != nil || program == "render-trainjob" && size > largestSize {
			t.Errorf("%s has %s bytes; there should be %d at most", image, words[0], largestSize)
		}
		want := "65534:65534 [/usr/local/bin/" + program + "]"
		if diff := cmp.Diff(want, strings.Join(words[1:], " ")); diff != "" {
			t.Error(diff)
		}
		files := slices.Sorted(maps.Keys(digestsOf(t, image)))
		if diff := cmp.Diff([]string{"LICENSE", "etc/group", "etc/passwd", "usr/local/bin/" + program}, files); diff != "" {
			t.Errorf("%s: %s", image, diff)
		}
	}
}

// digestsOf gives the digest of each file of an image that holds something: the
// engine itself adds empty ones, to mount its own on.
func digestsOf(t *testing.T, image string) map[string][sha256.Size]byte {
	t.Helper()
	container := strings.TrimSpace(docker(t, "create", image))
	files := map[string][sha256.Size]byte{}
	for in := tar.NewReader(strings.NewReader(docker(t, "export", container))); ; {
		header, err := in.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Typeflag == tar.TypeReg && header.Size > 0 {
			text, err := io.ReadAll(in)
			if err != nil {
				t.Fatal(err)
			}
			files[header.Name] = sha256.Sum256(text)
		}
	}
}

// TestImageOffline runs the image over every example, as nobody, without a
// network and on a root that it can't write to.
func TestImageOffline(t *testing.T) {
	for _, example := range examples(t) {
		line, isRun := strings.CutPrefix(commands(t, example)[0], goRun)
		if !isRun {
			continue
		}
		t.Run(filepath.Base(example), func(t *testing.T) {
			args := append([]string{"run", "--rm", "--network", "none", "--read-only", "--user", "nobody", "--cap-drop", "ALL",
				"--volume", root + ":/package:ro", "--workdir", "/package", lab.Image}, strings.Fields(line)...)
			out, err := exec.Command("docker", args...).Output()
			want, errWant := os.ReadFile(filepath.Join(example, "rendered.yaml"))
			if (err == nil) != (errWant == nil) {
				t.Fatalf("ended with %v; rendered.yaml: %v", err, errWant)
			}
			if diff := cmp.Diff(string(want), string(out)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func docker(t *testing.T, args ...string) string {
	t.Helper()
	out, err := lab.Run(t.Context(), root, "docker", args...)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// examples are the folders of the examples.
func examples(t *testing.T) []string {
	t.Helper()
	readmes, err := filepath.Glob(filepath.Join(root, "examples", "*", "README.md"))
	if err != nil || len(readmes) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for i := range readmes {
		readmes[i] = filepath.Dir(readmes[i])
	}
	return readmes
}

// commands are the lines of the shell blocks of an example's README.
func commands(t *testing.T, example string) []string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(example, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i, block := range bytes.Split(readme, []byte("```")) {
		if text, isShell := bytes.CutPrefix(block, []byte("sh\n")); isShell && i%2 == 1 {
			lines = append(lines, strings.Split(strings.TrimSpace(string(text)), "\n")...)
		}
	}
	if len(lines) == 0 {
		t.Fatalf("%s runs nothing", example)
	}
	return lines
}
