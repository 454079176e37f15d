// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package hosts_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trainyard/trainyard/test/hosts/lab"
)

// TestDocsListWhatIsRun holds the table of docs/hosts.md against the layouts,
// and against the kustomize that runs them.
func TestDocsListWhatIsRun(t *testing.T) {
	docs, err := os.ReadFile(filepath.Join(root, "docs", "hosts.md"))
	if err != nil {
		t.Fatal(err)
	}
	kustomize, err := lab.Run(t.Context(), root, "kustomize", "version")
	if err != nil {
		t.Fatal(err)
	}
	version := strings.TrimPrefix(strings.TrimSpace(string(kustomize)), "v")
	want, listed := map[string]bool{}, map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| (kustomize|kpt) ([0-9][^ ]*) \\|").FindAllStringSubmatch(string(docs), -1) {
		listed[row[1]] = true
		if row[2] == "kustomize" && row[3] != version {
			t.Errorf("%s was run with kustomize %s, the table says %s", row[1], version, row[3])
		}
	}
	layouts, err := filepath.Glob("testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, layout := range layouts {
		want[filepath.Base(layout)] = true
	}
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("layouts -, table +:\n%s", diff)
	}
}
