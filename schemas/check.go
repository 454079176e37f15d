// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/trainyard/trainyard/internal/jsontree"
	"github.com/trainyard/trainyard/render/finding"
)

// check holds a value against what its place asks of it. Of a value of another
// type nothing more is said.
func (r *reporter) check(schema *definition, value *jsontree.Value) {
	schema, err := r.document.follow(schema)
	if err != nil {
		r.add(finding.Internal, "%v", err)
		return
	}
	if schema.Type != nil && !slices.ContainsFunc(schema.Type, func(name string) bool { return isOf(value, name) }) {
		r.wrongType(schema, value)
		return
	}
	switch value.Kind {
	case jsontree.Object:
		r.checkObject(schema, value)
	case jsontree.List:
		r.checkList(schema, value)
	default:
		r.checkScalar(schema, value)
	}
	for _, rule := range schema.Rules {
		r.checkRule(rule, value)
	}
}

// isOf reports whether a value is of one of JSON Schema's types.
func isOf(value *jsontree.Value, name string) bool {
	switch value.Kind {
	case jsontree.Object:
		return name == "object"
	case jsontree.List:
		return name == "array"
	case jsontree.String:
		return name == "string"
	case jsontree.Bool:
		return name == "boolean"
	case jsontree.Number:
		return name == "integer" && isInteger(value.Text)
	default:
		return false
	}
}

// isInteger: JSON Schema takes 1e1 and 2.0 too, and leaves the rest to the
// format.
func isInteger(number string) bool {
	if isWhole(number, 64) {
		return true
	}
	exact, ok := new(big.Rat).SetString(number)
	return ok && exact.IsInt()
}

func (r *reporter) checkObject(schema *definition, object *jsontree.Value) {
	if len(object.Items) < schema.MinProperties {
		r.add(finding.InvalidValue, "must hold at least %d; it is empty", schema.MinProperties)
	}
	for _, name := range schema.Required {
		if object.At(name).Kind == jsontree.Missing {
			r.below(path{name}, func() { r.add(finding.MissingField, "is required; add it") })
		}
	}
	for i := range object.Items {
		field := &object.Items[i]
		r.at = append(r.at, field.Key)
		r.checkKey(schema.PropertyNames, field.Key)
		switch property := schema.Properties[field.Key]; {
		case property != nil:
			r.check(property, field)
		case schema.AdditionalProperties.closed:
			r.unknownField(schema, field.Key)
		case schema.AdditionalProperties.of != nil:
			r.check(schema.AdditionalProperties.of, field)
		}
		r.at = r.at[:len(r.at)-1]
	}
}

func (r *reporter) checkKey(asked names, key string) {
	if asked.Format == "" {
		return
	}
	if format := formats[asked.Format]; !format.fits(key) {
		r.add(format.rule, "its key must be %s", format.says)
	}
}

func (r *reporter) checkList(schema *definition, list *jsontree.Value) {
	if len(list.Items) < schema.MinItems {
		r.add(finding.InvalidValue, "must hold at least %d; it is empty", schema.MinItems)
	}
	if most := schema.MaxItems; most != nil && len(list.Items) > *most {
		r.add(finding.InvalidValue, "must hold at most %d; it holds %d", *most, len(list.Items))
	}
	if schema.Items == nil {
		return
	}
	for i := range list.Items {
		r.at = append(r.at, strconv.Itoa(i))
		r.check(schema.Items, &list.Items[i])
		r.at = r.at[:len(r.at)-1]
	}
	r.checkDistinct(schema, list)
}

func (r *reporter) checkScalar(schema *definition, value *jsontree.Value) {
	if schema.Enum != nil && !slices.Contains(schema.Enum, value.Text) {
		r.add(finding.InvalidValue, "must be %s%s", oneOf(schema.Enum), butIs(value))
	}
	if schema.Format != "" && !hasFormat(value, schema.Format) {
		format := formats[schema.Format]
		r.add(format.rule, "must be %s%s", format.says, butIs(value))
	}
	if value.Kind == jsontree.Number {
		r.checkNumber(schema, value)
	}
	if value.Kind == jsontree.String {
		r.checkLength(schema, value)
	}
}

func (r *reporter) checkNumber(schema *definition, number *jsontree.Value) {
	if schema.Minimum == nil {
		return
	}
	if n, ok := whole(number); ok && n >= *schema.Minimum {
		return
	}
	if exact, ok := new(big.Rat).SetString(number.Text); ok && exact.Cmp(new(big.Rat).SetInt64(*schema.Minimum)) < 0 {
		r.add(finding.InvalidValue, "must be at least %d%s", *schema.Minimum, butIs(number))
	}
}

func (r *reporter) checkLength(schema *definition, text *jsontree.Value) {
	if schema.MinLength > 0 && text.Text == "" {
		r.add(finding.InvalidValue, "must not be empty%s", butIs(text))
	}
	if most := schema.MaxLength; most != nil && utf8.RuneCountInString(text.Text) > *most {
		r.add(finding.InvalidValue, "must be no longer than %d characters; it has %d%s", *most, utf8.RuneCountInString(text.Text), butIs(text))
	}
}
