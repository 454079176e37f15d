// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseReadsEveryString(t *testing.T) {
	for _, text := range []string{
		`{"a":"\/"}`, `{"a":"\\/"}`, `{"a":"\ud83d\ude00"}`, `{"a":"\\ud83d"}`, `{"a":"\ud83d"}`, `{"a":"\ud83dx\/"}`, `{"a":"\u0041\/"}`,
		"{\"a\":\"\x7f\"}", "{\"a\":\"x \u0085 y\"}", "{\"a\":\"x \u2028 é\"}", "{\n\t\"a\": \"\\/😀\"\n}\n",
	} {
		var want map[string]string
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		root, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want["a"], Text(root, "a")); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestParseRefusesWhatIsNoJSON(t *testing.T) {
	for _, text := range []string{`a: "\/\ud83d"`, `{"a": "\ud83d\ude00",`, `["\ud83d\ude00"`} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}
