// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

const (
	listTypeKeyword = "x-kubernetes-list-type"
	listKeysKeyword = "x-kubernetes-list-map-keys"
)

// listCompiler compiles the list types: the items of a set differ, and those of
// a map differ in their keys.
type listCompiler struct{ document *document }

// Compile implements jsonschema.ExtCompiler.
func (l listCompiler) Compile(_ jsonschema.CompilerContext, schema map[string]any) (jsonschema.ExtSchema, error) {
	switch schema[listTypeKeyword] {
	case "set":
		return distinct(nil), nil
	case "map":
		name, _ := within(schema, "items", definitionKeyword).(string)
		item, err := l.document.decode(name)
		if err != nil {
			return nil, err
		}
		return keysOf(schema, item), nil
	case nil:
		return nil, nil
	}
	return nil, fmt.Errorf("unknown %s %v", listTypeKeyword, schema[listTypeKeyword])
}

// keysOf returns the keys of a list whose items have the given schema.
func keysOf(list, item map[string]any) distinct {
	names, _ := list[listKeysKeyword].([]any)
	keys := make(distinct, len(names))
	for i, name := range names {
		keys[i].name, _ = name.(string)
		keys[i].missing = within(item, "properties", keys[i].name, "default")
	}
	return keys
}

// distinct are the keys in which the items of a list differ; none: in whole.
type distinct []listKey

type listKey struct {
	name    string
	missing any // its value where the item has none, or nil
}

// Validate implements jsonschema.ExtSchema.
func (d distinct) Validate(ctx jsonschema.ValidationContext, value any) error {
	items, _ := value.([]any)
	first := make(map[string]int, len(items))
	var failed []error
	for i, item := range items {
		identity := d.identity(item)
		at, twice := first[identity]
		if identity == "" || !twice {
			first[identity] = i
			continue
		}
		err := ctx.Error(listTypeKeyword, "%s stands at [%d] already; keep one of the two", identity, at)
		err.InstanceLocation += fmt.Sprintf("/%d", i)
		failed = append(failed, err)
	}
	return group(ctx, listTypeKeyword, failed)
}

// identity is what tells the item from others, as a person reads it; it is
// empty if a key is missing, which is found elsewhere.
func (d distinct) identity(item any) string {
	if d == nil {
		return fmt.Sprint(item)
	}
	var parts []string
	for _, key := range d {
		value := within(item, key.name)
		if value == nil {
			value = key.missing
		}
		if value == nil {
			return ""
		}
		parts = append(parts, fmt.Sprintf("%s %v", key.name, value))
	}
	return strings.Join(parts, ", ")
}

// group makes one error of several, as the validator wants it.
func group(ctx jsonschema.ValidationContext, keyword string, failed []error) error {
	if len(failed) == 0 {
		return nil
	}
	return jsonschema.ValidationError{}.Group(ctx.Error(keyword, "%d problems", len(failed)), failed...)
}
