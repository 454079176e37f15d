// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trainyard/trainyard/internal/golden"
)

// What WithoutDefaults takes out is what a server fills in, and nothing else.
func TestWithoutDefaults(t *testing.T) {
	golden.Cases(t, "../testdata/render", func(t *testing.T, folder string) {
		for _, name := range []string{"trainjob.yaml", "runtime.yaml", "jobset.yaml"} {
			given := readIfThere(t, filepath.Join(folder, name))
			if given == nil {
				continue
			}
			filled := decodeYAML(t, given)
			kind := kindIn(filled)
			fillIn(kind, filled)
			bare, err := WithoutDefaults([]byte(flow(filled)))
			if err != nil {
				t.Fatal(err)
			}
			again := decode(t, bare)
			fillIn(kind, again)
			if diff := cmp.Diff(filled, again); diff != "" {
				t.Errorf("%s: before -, after +:\n%s", name, diff)
			}
		}
	})
}

func TestWithoutDefaultsOfNoObject(t *testing.T) {
	if _, err := WithoutDefaults([]byte("null")); err == nil {
		t.Error("no error")
	}
}
