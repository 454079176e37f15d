// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
)

// document is a schema file. Its definitions are read when they are first
// needed: to read a whole file costs a hundred times what one object needs.
type document struct {
	name  string            // of the file
	texts map[string][]byte // of the definitions, and of the root

	mutex sync.RWMutex // guards what follows
	read  map[string]*definition
}

// root names the schema that holds the definitions.
const root = ""

// refPrefix is what the name of a definition has before it where one refers to
// it.
const refPrefix = "#/definitions/"

func newDocument(name string, text []byte) *document {
	return &document{name: name, texts: split(text), read: map[string]*definition{}}
}

// split cuts a file into its definitions and the root. It relies on the file's
// indentation, two blanks a level, which is far quicker than to decode it.
func split(text []byte) map[string][]byte {
	const end = "\n    }" // of a definition
	top, definitions, _ := bytes.Cut(text, []byte(",\n  \"definitions\": {"))
	texts := map[string][]byte{root: append(bytes.Clone(top), "\n}"...)}
	for {
		block, rest, found := bytes.Cut(definitions, []byte(end))
		if !found {
			return texts
		}
		name, body, _ := bytes.Cut(block, []byte(": "))
		texts[string(bytes.Trim(name, ",\n \""))] = body[:len(body)+len(end)] // without a copy
		definitions = rest
	}
}

// definition reads a definition, once. Nobody may change what it returns.
func (d *document) definition(name string) (*definition, error) {
	d.mutex.RLock()
	known := d.read[name]
	d.mutex.RUnlock()
	if known != nil {
		return known, nil
	}
	fresh := &definition{}
	if err := decodeStrictly(d.texts[name], fresh); err != nil {
		return nil, fmt.Errorf("read definition %q of %s: %w", name, d.name, err)
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.read[name] = fresh
	return fresh, nil
}

// follow returns the definition itself, or the one that it refers to.
func (d *document) follow(schema *definition) (*definition, error) {
	if schema.Ref == "" {
		return schema, nil
	}
	if known := schema.referred.Load(); known != nil {
		return known, nil
	}
	referred, err := d.definition(strings.TrimPrefix(schema.Ref, refPrefix))
	if err == nil {
		referred, err = d.follow(referred)
	}
	if err != nil {
		return nil, err
	}
	schema.referred.Store(referred)
	return referred, nil
}
