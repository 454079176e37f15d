// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/trainyard/trainyard/render/finding"
)

// reporter turns the validator's errors into findings.
type reporter struct {
	document *document
	object   map[string]any
	written  Written
	found    []located
}

// located is a finding with the path of its field.
type located struct {
	finding.Finding
	path path
}

func (r *reporter) add(at path, rule finding.Rule, format string, args ...any) {
	r.found = append(r.found, located{finding.Errorf(rule, at.field(), format, args...), at})
}

// outOfRange reports the numbers that the validator may not see.
func (r *reporter) outOfRange() {
	for _, at := range outOfRange(r.object) {
		number, _ := scalar(at.from(r.object))
		r.add(at, finding.InvalidValue, "is out of range: %s; write a number that a 64-bit field can hold", quote(number))
	}
}

// invalid reports what the validator finds.
func (r *reporter) invalid() {
	schema, err := r.document.schema(root, r.object)
	if err == nil {
		err = schema.Validate(r.object)
	}
	var invalid *jsonschema.ValidationError
	switch {
	case err == nil:
	case errors.As(err, &invalid):
		r.walk(invalid)
	default:
		r.add(nil, finding.Internal, "%v", err)
	}
}

// walk reports the innermost errors: the others say only that there are some.
func (r *reporter) walk(err *jsonschema.ValidationError) {
	for _, cause := range err.Causes {
		r.walk(cause)
	}
	if len(err.Causes) > 0 {
		return
	}
	location, keyword := splitKeyword(err.AbsoluteKeywordLocation)
	schema, at := r.document.at(location), pathOf(err.InstanceLocation)
	switch keyword {
	case "additionalProperties":
		r.unknownFields(schema, at)
	case "required":
		r.missingFields(schema, at)
	case "type":
		r.wrongType(schema, at)
	case "format":
		r.malformed(schema, at, strings.HasSuffix(location, "/propertyNames"))
	case rulesKeyword:
		r.add(at, finding.InvalidValue, "%s", err.Message)
	case listTypeKeyword:
		r.add(at, finding.DuplicateItem, "%s", err.Message)
	case definitionKeyword:
		r.add(at, finding.Internal, "%s", err.Message)
	default:
		r.outside(schema, keyword, at)
	}
}

// splitKeyword splits the location of a keyword into that of its schema and the
// keyword.
func splitKeyword(location string) (schema, keyword string) {
	i := strings.LastIndex(location, "/")
	return location[:i], location[i+1:]
}

// unknownFields reports the fields that a schema does not name.
func (r *reporter) unknownFields(schema map[string]any, at path) {
	properties, _ := schema["properties"].(map[string]any)
	known := slices.Sorted(maps.Keys(properties))
	object, _ := at.from(r.object).(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if properties[name] == nil {
			r.add(at.with(name), finding.UnknownField, "%s", unknownField(name, at, known))
		}
	}
}

// missingFields reports the fields that a schema demands.
func (r *reporter) missingFields(schema map[string]any, at path) {
	required, _ := schema["required"].([]any)
	object, _ := at.from(r.object).(map[string]any)
	for _, name := range required {
		if name, _ := name.(string); object[name] == nil {
			r.add(at.with(name), finding.MissingField, "is required; add it")
		}
	}
}
