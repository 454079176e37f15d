// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// document is a schema file. Its definitions are compiled when they are first
// needed, and of their properties those that are: to compile a whole file costs
// a hundred times what one object needs.
type document struct {
	name  string            // of the file
	texts map[string]string // of the definitions, and of the root
	known memory            // the values that have proved valid

	decoded struct { // the definitions that have been read
		sync.Mutex
		byName map[string]map[string]any
	}

	mutex    sync.RWMutex // guards what follows
	compiler *jsonschema.Compiler
	compiled map[string]*definition
}

// root names the schema that holds the definitions.
const root = ""

func newDocument(name, text string) *document {
	d := &document{name: name, texts: split(text), compiler: jsonschema.NewCompiler(), compiled: map[string]*definition{}}
	d.decoded.byName = map[string]map[string]any{}
	d.compiler.Draft = &jsonschema.Draft{} // it has no metaschema, to check against which takes half of the time; a test does
	d.compiler.Formats = formatChecks()
	d.compiler.RegisterExtension(definitionKeyword, nil, definitionCompiler{d})
	d.compiler.RegisterExtension(keysKeyword, nil, keysCompiler{})
	d.compiler.RegisterExtension(rulesKeyword, nil, rulesCompiler{})
	d.compiler.RegisterExtension(listTypeKeyword, nil, listCompiler{d})
	return d
}

// split cuts a file into its definitions and the root. It relies on the file's
// indentation, two blanks a level, which is far quicker than to decode it.
func split(text string) map[string]string {
	top, definitions, _ := strings.Cut(text, ",\n  \"definitions\": {")
	texts := map[string]string{root: top + "\n}"}
	for block := range strings.SplitSeq(definitions, "\n    }") {
		if name, body, found := strings.Cut(strings.TrimLeft(block, ",\n "), ": {"); found {
			texts[strings.Trim(name, `"`)] = "{" + body + "\n}"
		}
	}
	return texts
}

// schema returns a definition, or the root, ready to judge the value.
func (d *document) schema(name string, value any) (*jsonschema.Schema, error) {
	d.mutex.RLock()
	known := d.compiled[name]
	d.mutex.RUnlock()
	if known != nil && known.covers(value) {
		return known.schema, nil
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	wider, err := d.widen(name, value)
	if err != nil {
		return nil, err
	}
	d.compiled[name] = wider
	return wider.schema, nil
}

// widen compiles a definition with the properties that the value has, besides
// those that are compiled already.
func (d *document) widen(name string, value any) (*definition, error) {
	known := d.compiled[name]
	if known == nil {
		whole, err := d.decode(name)
		if err != nil {
			return nil, err
		}
		properties, _ := whole["properties"].(map[string]any)
		known = &definition{whole: whole, missing: properties}
	}
	part, missing := known.part(value)
	delete(part, "$schema") // or it would name the draft
	text, err := json.Marshal(part)
	if err != nil {
		return nil, fmt.Errorf("write schema %s: %w", d.url(name), err)
	}
	if err := d.compiler.AddResource(d.url(name), bytes.NewReader(text)); err != nil {
		return nil, fmt.Errorf("read schema %s: %w", d.url(name), err)
	}
	schema, err := d.compiler.Compile(d.url(name))
	if err != nil {
		return nil, fmt.Errorf("compile schema %s: %w", d.url(name), err)
	}
	return &definition{whole: known.whole, schema: schema, missing: missing}, nil
}

// url names a definition within the compiler.
func (d *document) url(name string) string { return "schema:///" + d.name + "/" + name }

// at returns the schema at a location within a definition, for messages; it is
// empty if there is none.
func (d *document) at(location string) map[string]any {
	name, pointer, _ := strings.Cut(strings.TrimPrefix(location, d.url(root)), "#")
	whole, err := d.decode(name)
	if err != nil {
		return nil
	}
	schema, _ := pathOf(pointer).from(whole).(map[string]any)
	return schema
}

// decode reads a definition, once. Its references become such that they are
// followed when a value stands there, not when they are compiled. Nobody may
// change what it returns.
func (d *document) decode(name string) (map[string]any, error) {
	d.decoded.Lock()
	defer d.decoded.Unlock()
	if known := d.decoded.byName[name]; known != nil {
		return known, nil
	}
	text := strings.ReplaceAll(d.texts[name], `"$ref": "#/definitions/`, `"`+definitionKeyword+`": "`)
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var whole map[string]any
	if err := decoder.Decode(&whole); err != nil {
		return nil, fmt.Errorf("read schema %s: %w", d.url(name), err)
	}
	d.decoded.byName[name] = whole
	return whole, nil
}
