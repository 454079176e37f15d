// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"maps"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// definition is a definition of which a part is compiled.
type definition struct {
	whole   map[string]any
	schema  *jsonschema.Schema
	missing map[string]any // the properties that the compiled part lacks
}

// covers reports whether the compiled part judges each field of the value.
func (d *definition) covers(value any) bool {
	object, _ := value.(map[string]any)
	for name := range object {
		if _, lacks := d.missing[name]; lacks {
			return false
		}
	}
	return true
}

// part returns the schema with the properties that are compiled or that the
// value has, and the properties that it lacks then.
func (d *definition) part(value any) (schema, missing map[string]any) {
	object, _ := value.(map[string]any)
	properties, _ := d.whole["properties"].(map[string]any)
	kept, missing := map[string]any{}, map[string]any{}
	for name, property := range properties {
		_, wanted := object[name]
		if _, lacks := d.missing[name]; lacks && !wanted {
			missing[name] = property
			continue
		}
		kept[name] = property
	}
	schema = maps.Clone(d.whole)
	schema["properties"] = kept
	return schema, missing
}

// definitionKeyword takes the place of "$ref": the definition that it names is
// compiled when a value is first held against it.
const definitionKeyword = "x-definition"

// definitionCompiler is the keyword's compiler.
type definitionCompiler struct{ document *document }

// Compile implements jsonschema.ExtCompiler.
func (d definitionCompiler) Compile(_ jsonschema.CompilerContext, schema map[string]any) (jsonschema.ExtSchema, error) {
	name, ok := schema[definitionKeyword].(string)
	if !ok {
		return nil, nil
	}
	return reference{d.document, name}, nil
}

// reference is a use of the keyword.
type reference struct {
	document *document
	name     string
}

// Validate implements jsonschema.ExtSchema.
func (r reference) Validate(ctx jsonschema.ValidationContext, value any) error {
	seen := fingerprintOfText(r.name).then(fingerprintOf(value))
	if r.document.known.has(seen) {
		return nil
	}
	schema, err := r.document.schema(r.name, value)
	if err != nil {
		return ctx.Error(definitionKeyword, "%v", err)
	}
	if err := ctx.Validate(schema, definitionKeyword, value, ""); err != nil {
		return err
	}
	r.document.known.add(seen)
	return nil
}
