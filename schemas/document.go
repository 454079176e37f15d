// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// document is a schema file whose definitions are compiled when they are first
// needed. A full compile costs a hundred times what one object needs.
type document struct {
	name        string // of the file
	root        string // the file without its definitions
	definitions string

	mutex    sync.Mutex // guards compiler
	compiler *jsonschema.Compiler
	compiled sync.Map // name of a definition to *jsonschema.Schema
}

// root names the schema that holds the definitions.
const root = ""

func newDocument(name, text string) *document {
	top, definitions, _ := strings.Cut(text, ",\n  \"definitions\": {")
	d := &document{name: name, root: top + "\n}", definitions: definitions, compiler: jsonschema.NewCompiler()}
	d.compiler.Draft = jsonschema.Draft7
	d.compiler.Formats = formatChecks()
	d.compiler.RegisterExtension(definitionKeyword, nil, definitionCompiler{d})
	d.compiler.RegisterExtension(rulesKeyword, nil, rulesCompiler{})
	d.compiler.RegisterExtension(listTypeKeyword, nil, listCompiler{d})
	return d
}

// schema returns a definition, or the root, ready to validate.
func (d *document) schema(name string) (*jsonschema.Schema, error) {
	if known, ok := d.compiled.Load(name); ok {
		return known.(*jsonschema.Schema), nil
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if err := d.compiler.AddResource(d.url(name), strings.NewReader(d.lazily(name))); err != nil {
		return nil, fmt.Errorf("read schema %s: %w", d.url(name), err)
	}
	schema, err := d.compiler.Compile(d.url(name))
	if err != nil {
		return nil, fmt.Errorf("compile schema %s: %w", d.url(name), err)
	}
	d.compiled.Store(name, schema)
	return schema, nil
}

// url names a definition within the compiler.
func (d *document) url(name string) string { return "schema:///" + d.name + "/" + name }

// lazily returns the text of a definition with its references made such that
// they are followed when a value stands there, not when it is compiled.
func (d *document) lazily(name string) string {
	return strings.ReplaceAll(d.definition(name), `"$ref": "#/definitions/`, `"`+definitionKeyword+`": "`)
}

// definition cuts the text of a definition out of the file. It relies on the
// file's indentation, which is two blanks a level: that is far quicker than to
// decode the file.
func (d *document) definition(name string) string {
	if name == root {
		return d.root
	}
	_, text, _ := strings.Cut(d.definitions, "\n    \""+name+"\": {")
	text, _, _ = strings.Cut(text, "\n    }")
	return "{" + text + "\n}"
}

// at returns the schema at a location within a definition, for messages; it is
// empty if there is none.
func (d *document) at(location string) map[string]any {
	name, pointer, _ := strings.Cut(strings.TrimPrefix(location, d.url(root)), "#")
	definition, err := d.decode(name)
	if err != nil {
		return nil
	}
	schema, _ := pathOf(pointer).from(definition).(map[string]any)
	return schema
}

// decode reads a definition.
func (d *document) decode(name string) (map[string]any, error) {
	var decoded map[string]any
	if err := json.Unmarshal([]byte(d.lazily(name)), &decoded); err != nil {
		return nil, fmt.Errorf("read schema %s: %w", d.url(name), err)
	}
	return decoded, nil
}
