// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"

	"github.com/trainyard/trainyard/internal/golden"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

const cases = "../testdata/fn"

func TestRun(t *testing.T) {
	golden.Cases(t, cases, func(t *testing.T, folder string) {
		in := readFile(t, filepath.Join(folder, "input.yaml"))
		given := bytes.Clone(in)
		list, out := Run(in)
		golden.File(t, filepath.Join(folder, "output.yaml"), list)
		if !bytes.Equal(in, given) {
			t.Error("the input was changed")
		}
		for range 19 {
			if again, _ := Run(in); !bytes.Equal(again, list) {
				t.Fatalf("a second run gives other bytes: %s", cmp.Diff(string(list), string(again)))
			}
		}
		if finding.Blocking(out.Findings) {
			sameItems(t, "with an error", in, list)
		}
		second, _ := Run(list)
		sameItems(t, "rendered again", list, second)
	})
}

// sameItems compares two lists, bytes for bytes, without their results.
func sameItems(t *testing.T, when string, want, got []byte) {
	t.Helper()
	if diff := cmp.Diff(string(withoutResults(t, want)), string(withoutResults(t, got))); diff != "" {
		t.Errorf("%s, the items changed: %s", when, diff)
	}
}

func withoutResults(t *testing.T, text []byte) []byte {
	t.Helper()
	list, err := resourcelist.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return list.Bytes(list.Items, nil)
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestProcess holds the SDK's way in against the program's: the same objects
// and the same results.
func TestProcess(t *testing.T) {
	golden.Cases(t, cases, func(t *testing.T, folder string) {
		in := readFile(t, filepath.Join(folder, "input.yaml"))
		list, out := Run(in)
		rl, err := sdk.ParseResourceList(in)
		if err != nil {
			t.Fatal(err)
		}
		ok, err := Process(rl)
		if err != nil || ok == finding.Blocking(out.Findings) {
			t.Fatalf("ok: %v, error: %v", ok, err)
		}
		want, err := resourcelist.Parse(list)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(objects(want.Items), objectsOf(rl)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(out.results(), rl.Results); diff != "" {
			t.Error(diff)
		}
	})
}

func objects(items []*resourcelist.Item) []map[string]any {
	var all []map[string]any
	for _, item := range items {
		all = append(all, values(item))
	}
	return all
}

func objectsOf(rl *sdk.ResourceList) []map[string]any {
	items, _ := itemsOf(rl.Items)
	return objects(items)
}
