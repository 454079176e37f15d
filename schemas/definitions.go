// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import "github.com/santhosh-tekuri/jsonschema/v5"

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
	schema, err := r.document.schema(r.name)
	if err != nil {
		return ctx.Error(definitionKeyword, "%v", err)
	}
	return ctx.Validate(schema, definitionKeyword, value, "")
}
