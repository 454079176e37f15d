// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"github.com/santhosh-tekuri/jsonschema/v5"
)

// keysKeyword holds the schema of a map's keys.
const keysKeyword = "propertyNames"

// keysCompiler compiles the keyword, which the validator knows of drafts alone.
type keysCompiler struct{}

// Compile implements jsonschema.ExtCompiler.
func (keysCompiler) Compile(ctx jsonschema.CompilerContext, schema map[string]any) (jsonschema.ExtSchema, error) {
	if schema[keysKeyword] == nil {
		return nil, nil
	}
	compiled, err := ctx.Compile(keysKeyword, false)
	return keys{compiled}, err
}

// keys is the schema of a map's keys.
type keys struct{ schema *jsonschema.Schema }

// Validate implements jsonschema.ExtSchema.
func (k keys) Validate(ctx jsonschema.ValidationContext, value any) error {
	object, _ := value.(map[string]any)
	var failed []error
	for key := range object {
		if err := ctx.Validate(k.schema, keysKeyword, key, pointerStep(key)); err != nil {
			failed = append(failed, err)
		}
	}
	return group(ctx, keysKeyword, failed)
}
