// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Every definition of every schema can be read: each keyword is known, each rule
// has a function, each list type and format is one, and what is referred to is
// there.
func TestAllDefinitionsAreKnown(t *testing.T) {
	for kind, name := range fileNames {
		t.Run(name, func(t *testing.T) {
			document, whole := documentOf(kind), wholeFile(t, name)
			if len(document.texts) != len(whole.Definitions)+1 {
				t.Errorf("%d definitions are cut out, and the root; the file has %d", len(document.texts)-1, len(whole.Definitions))
			}
			for definition := range document.texts {
				schema, err := document.definition(definition)
				if err != nil {
					t.Error(err)
					continue
				}
				known(t, document, schema)
			}
		})
	}
}

func known(t *testing.T, document *document, schema *definition) {
	t.Helper()
	if schema == nil {
		return
	}
	if _, err := document.follow(schema); err != nil {
		t.Error(err)
	}
	for _, format := range []string{schema.Format, schema.PropertyNames.Format} {
		if _, ok := formats[format]; !ok && format != "" {
			t.Errorf("unknown format %s", format)
		}
	}
	for _, name := range schema.Type {
		if typeNames[name] == "" {
			t.Errorf("unknown type %s", name)
		}
	}
	switch schema.ListType {
	case "", listIsSet, listIsMap:
	default:
		t.Errorf("unknown list type %s", schema.ListType)
	}
	for _, property := range schema.Properties {
		known(t, document, property)
	}
	known(t, document, schema.Items)
	known(t, document, schema.AdditionalProperties.of)
}

// What is cut out of a file by its indentation is what decoding it yields.
func TestFilesSplitIntoDefinitions(t *testing.T) {
	for kind, name := range fileNames {
		want := wholeFile(t, name).Definitions
		got := map[string]any{}
		for definition, text := range documentOf(kind).texts {
			var schema any
			if err := json.Unmarshal(text, &schema); err != nil {
				t.Fatalf("%q of %s: %v", definition, name, err)
			}
			if definition != root {
				got[definition] = schema
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The files are JSON Schemas of the draft that they name, for whoever uses them
// elsewhere.
func TestFilesKeepToTheirDraft(t *testing.T) {
	for _, name := range fileNames {
		text, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := jsonschema.CompileString("schema:///"+name, string(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEveryFileHasAKind(t *testing.T) {
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]typeMeta{}
	for kind, name := range fileNames {
		names[name] = kind
	}
	for _, entry := range entries {
		whole := wholeFile(t, entry.Name())
		want := typeMeta{whole.Properties.APIVersion.Enum[0], whole.Properties.Kind.Enum[0]}
		if names[entry.Name()] != want {
			t.Errorf("%s is the schema of %v; the table says %v", entry.Name(), want, names[entry.Name()])
		}
	}
	if len(entries) != len(fileNames) {
		t.Errorf("%d files, %d in the table", len(entries), len(fileNames))
	}
}

// A rule that no schema holds any more goes away.
func TestEveryRuleIsUsed(t *testing.T) {
	used := map[string]bool{}
	for _, name := range fileNames {
		text, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var whole any
		if err := json.Unmarshal(text, &whole); err != nil {
			t.Fatal(err)
		}
		collectRules(whole, used)
	}
	for rule := range celRules {
		if !used[rule] {
			t.Errorf("no schema has the rule %q", rule)
		}
	}
}

func collectRules(value any, used map[string]bool) {
	switch value := value.(type) {
	case map[string]any:
		for key, child := range value {
			if key == "x-kubernetes-validations" {
				for _, rule := range child.([]any) {
					used[rule.(map[string]any)["rule"].(string)] = true
				}
			}
			collectRules(child, used)
		}
	case []any:
		for _, child := range value {
			collectRules(child, used)
		}
	}
}

func TestWhatIsUnknownCannotBeRead(t *testing.T) {
	for _, keyword := range []string{
		`"x-kubernetes-validations": [{"rule": "self.isNew()"}]`,
		`"pattern": "^a$"`,
		`"properties": {"a": {"oneOf": []}}`,
		`"additionalProperties": {"not": {}}`,
		`"propertyNames": {"maxLength": 3}`,
	} {
		if _, err := newDocument("new.json", []byte("{\n"+keyword+"\n}")).definition(root); err == nil {
			t.Errorf("%s: can be read", keyword)
		}
	}
}

type schemaFile struct {
	Definitions map[string]any
	Properties  struct {
		APIVersion, Kind struct{ Enum [1]string }
	}
}

func wholeFile(t *testing.T, name string) schemaFile {
	t.Helper()
	text, err := files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var whole schemaFile
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return whole
}
