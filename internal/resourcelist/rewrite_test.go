// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRewriteLeavesTheRest puts an edited object into files of many ends.
func TestRewriteLeavesTheRest(t *testing.T) {
	const yaml, json = "apiVersion: v1\nkind: A\nmetadata:\n  name: old", `{"apiVersion":"v1","kind":"A","metadata":{"name":"old"}}`
	const indented = "{\n  \"apiVersion\": \"v1\", \"kind\": \"A\",\n  \"metadata\": {\"name\": \"old\"}\n}"
	for _, file := range []string{
		yaml, yaml + "\n", yaml + "\n# end", yaml + "\n---\n" + json, "# top\n---\n" + yaml + "\n...\n",
		json, json + "\n", "--- " + json, "---\n" + json + "\n---\nkind: b", indented, indented + "\n",
	} {
		for _, text := range []string{file, string(bytes.ReplaceAll([]byte(file), []byte("\n"), []byte("\r\n"))), "\uFEFF" + file} {
			items, findings := Documents([]byte(text), "a.yaml")
			if len(items) == 0 {
				t.Fatalf("%q: %v", text, findings)
			}
			edited := items[0].With(bytes.ReplaceAll(items[0].Text(), []byte("old"), []byte("new")))
			got, ok := Rewrite([]byte(text), items[0], edited)
			want := bytes.TrimPrefix(bytes.Replace([]byte(text), []byte("old"), []byte("new"), 1), []byte("\uFEFF"))
			if diff := cmp.Diff(string(want), string(got)); diff != "" || !ok {
				t.Errorf("%q: %v %s", text, ok, diff)
			}
		}
	}
}
