// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package hosts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trainyard/trainyard/test/hosts/lab"
)

// standInGo is a compiler that gives out the programs which are built already,
// so that the Dockerfile can be built without a registry and without a network.
// It insists on the flags of `make build`.
const standInGo = `package main

import (
	"os"
	"strings"
)

func main() {
	got := strings.Join(append(os.Args[1:], os.Getenv("CGO_ENABLED"), os.Getenv("GOFLAGS")), " ")
	if got != "build -o /programs/ ./cmd/... 0 -trimpath '-ldflags=-s -w -X main.version=v0.1.0'" {
		panic(got)
	}
	if err := os.CopyFS("/programs", os.DirFS("/built")); err != nil {
		panic(err)
	}
}
`

// TestDockerfile builds the Dockerfile at the root: both of its images are those
// of `make images`.
func TestDockerfile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), []byte(standInGo))
	write(t, filepath.Join(dir, "go.mod"), []byte("module standin\n"))
	write(t, filepath.Join(dir, "Dockerfile"), []byte("FROM scratch\nCOPY go /usr/local/go/bin/\nCOPY built /built\nENV PATH=/usr/local/go/bin\n"))
	t.Setenv("CGO_ENABLED", "0")
	if _, err := lab.Run(t.Context(), dir, "go", "build", "-o", "go", "."); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "built"), os.DirFS(filepath.Join(root, "bin"))); err != nil {
		t.Fatal(err)
	}
	docker(t, "build", "--tag", "golang:1.26", dir)

	docker(t, "build", "--build-arg", "VERSION="+lab.Version, "--tag", "default", ".")
	docker(t, "build", "--build-arg", "VERSION="+lab.Version, "--tag", "mirror", "--target", "mirror-trainjob-status", ".")
	for tag, image := range map[string]string{"default": lab.Image, "mirror": strings.Replace(lab.Image, "render-trainjob", "mirror-trainjob-status", 1)} {
		if diff := cmp.Diff(configOf(t, image), configOf(t, tag)); diff != "" {
			t.Errorf("make images -, Dockerfile +: %s", diff)
		}
		if diff := cmp.Diff(digestsOf(t, image), digestsOf(t, tag)); diff != "" {
			t.Errorf("make images -, Dockerfile +: %s", diff)
		}
	}
}

// configOf is what an image does when it is run.
func configOf(t *testing.T, image string) string {
	t.Helper()
	return docker(t, "image", "inspect", "--format", "{{.Config.User}} {{.Config.Entrypoint}} {{.Config.Cmd}} {{.Config.WorkingDir}} {{.Config.Env}}", image)
}
