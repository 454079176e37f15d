// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestKeysAreThoseOfTheSchema: the schema of RenderTrainJob and the table of
// keys say the same.
func TestKeysAreThoseOfTheSchema(t *testing.T) {
	var schema struct {
		Definitions struct {
			Spec struct {
				Properties map[string]struct {
					Enum    []string
					Default any
				}
			}
		}
	}
	if err := json.Unmarshal(readFile(t, "../schemas/rendertrainjob_v1alpha1.json"), &schema); err != nil {
		t.Fatal(err)
	}
	properties := schema.Definitions.Spec.Properties
	for _, key := range Keys() {
		property, there := properties[key.Name]
		delete(properties, key.Name)
		switch {
		case !there:
			t.Errorf("%s is not in the schema", key.Name)
		case key.Values != nil && !key.Bool():
			if diff := cmp.Diff(slices.Sorted(slices.Values(property.Enum)), slices.Sorted(slices.Values(key.Values))); diff != "" {
				t.Errorf("%s: %s", key.Name, diff)
			}
			if property.Default != key.Values[0] {
				t.Errorf("%s: the default is %v in the schema, %s here", key.Name, property.Default, key.Values[0])
			}
		}
	}
	for name := range properties {
		t.Errorf("%s is only in the schema", name)
	}
}

// TestKeysAreDocumented: the documentation has a row for each key with its
// values in order.
func TestKeysAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/function-config.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range Keys() {
		row := "| `" + key.Name + "` | "
		if key.Values != nil {
			row += "`" + strings.Join(key.Values, "`, `") + "` |"
		}
		if !strings.Contains(string(text), row) {
			t.Errorf("docs/function-config.md has no row %s", row)
		}
	}
}

func TestSetGivesTheZeroValueForDefaults(t *testing.T) {
	for _, key := range Keys() {
		if key.Values == nil {
			continue
		}
		config := Config{}
		if err := config.Set(key, key.Values[0]); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(Config{}, config); diff != "" {
			t.Errorf("%s: %s: %s", key.Name, key.Values[0], diff)
		}
		for _, value := range key.Values[1:] {
			config := Config{}
			if err := config.Set(key, value); err != nil || cmp.Equal(Config{}, config) {
				t.Errorf("%s: %s changes nothing (%v)", key.Name, value, err)
			}
		}
	}
}
