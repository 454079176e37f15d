// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package hosts_test

import (
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/registry"

	"github.com/trainyard/trainyard/test/hosts/lab"
)

// TestOCIArtifact lives through the life of an artifact that CI pushes for Flux,
// with the real flux and a registry.
func TestOCIArtifact(t *testing.T) {
	flux, err := lab.Flux(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", flux+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("FLUX_FLAGS", "--insecure-registry")
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	artifact := "oci://" + strings.TrimPrefix(server.URL, "http://") + "/trainings:main"

	example := filepath.Join(root, "examples", "flux")
	job, err := os.ReadFile(filepath.Join(example, "jobs", "trainjob.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(example, "rendered.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	repo := newRepository(t)
	publish := func(args ...string) error {
		_, err := lab.Run(t.Context(), repo.dir, filepath.Join(root, "deploy", "ci", "oci-artifact.sh"), args...)
		return err
	}

	repo.commit(t, "jobs/bert.yaml", string(job))
	if err := publish(artifact, "jobs"); err == nil {
		t.Error("without an artifact, and without --first, it was published")
	}
	if err := publish("--first", artifact, "jobs"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), pulled(t, artifact)); diff != "" {
		t.Errorf("the first artifact: %s", diff)
	}

	if err := publish(artifact, "jobs", "--ttl", "Keep"); err != nil {
		t.Error(err)
	}
	repo.commit(t, "jobs/bert.yaml", strings.Replace(string(job), "numNodes: 2", "numNodes: 3", 1))
	if err := publish(artifact, "jobs"); err == nil {
		t.Error("an edit that a running training can't take was published")
	}
	if diff := cmp.Diff(string(want), pulled(t, artifact)); diff != "" {
		t.Errorf("the last artifact: %s", diff)
	}
}

// pulled is what Flux would find in an artifact.
func pulled(t *testing.T, artifact string) string {
	t.Helper()
	into := t.TempDir()
	if _, err := lab.Run(t.Context(), into, "flux", "pull", "artifact", artifact, "--output", into, "--insecure-registry"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(into, "trainings.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
