// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trainyard/trainyard/internal/nearest"
	"github.com/trainyard/trainyard/render/finding"
)

// mostNames are those that a message lists.
const mostNames = 12

// unknownField says what could have been meant.
func unknownField(name string, at path, known []string) string {
	place := at.field()
	if place == "" {
		place = "the object"
	}
	switch near := nearest.Name(name, known); {
	case near != "":
		return fmt.Sprintf("is not a field of %s; did you mean %s?", place, near)
	case slices.Contains(at, "trainingRuntimeSpec"):
		return fmt.Sprintf("can't be set by a patch; set it in the runtime. What a patch can set here: %s", strings.Join(known, ", "))
	case len(known) == 0:
		return fmt.Sprintf("is not a field of %s, which has none; remove it", place)
	case len(known) > mostNames:
		return fmt.Sprintf("is not a field of %s; remove it", place)
	}
	return fmt.Sprintf("is not a field of %s; remove it, or write one of %s", place, strings.Join(known, ", "))
}

// wrongType says what was found in place of what is wanted, and how to write it.
func (r *reporter) wrongType(schema map[string]any, at path) {
	wanted := typesOf(schema)
	value := at.from(r.object)
	is := shown(value)
	text := is
	if written := r.written(at.field()); written != "" && isPlain(value) && written != is {
		is, text = fmt.Sprintf("%s, which YAML reads as %s", written, is), written
	}
	r.add(at, finding.WrongType, "must be %s; it is %s%s", wantedTypes(schema, wanted), is, otherQuotes(value, text, wanted))
}

// otherQuotes is a remedy: quotes that are missing, around what the text has
// there, or too much.
func otherQuotes(value any, text string, wanted []string) string {
	switch value := value.(type) {
	case json.Number, bool:
		if slices.Contains(wanted, "string") {
			return fmt.Sprintf("; quote it: \"%s\"", text)
		}
	case string:
		if slices.Contains(wanted, typeOf(value)) {
			return "; write it without quotes: " + withoutQuotes(value)
		}
	}
	return ""
}

// isPlain reports whether a value stands without quotes in a text.
func isPlain(value any) bool {
	switch value.(type) {
	case json.Number, bool:
		return true
	}
	return false
}

// withoutQuotes is a number or a boolean as it must stand alone: YAML would take
// one that begins with a 0 for octal.
func withoutQuotes(text string) string {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	return text
}

func typesOf(schema map[string]any) []string {
	switch t := schema["type"].(type) {
	case string:
		return []string{t}
	case []any:
		names := make([]string, len(t))
		for i, name := range t {
			names[i], _ = name.(string)
		}
		return names
	}
	return nil
}

// typeOf returns the type that a text has without quotes.
func typeOf(text string) string {
	switch {
	case text == "true" || text == "false":
		return "boolean"
	case isWhole(text, 64):
		return "integer"
	}
	return "string"
}

// typeNames are JSON Schema's types as people call them.
var typeNames = map[string]string{
	"string": "a string", "integer": "a whole number", "number": "a number",
	"boolean": "true or false", "array": "a list", "object": "a mapping",
}

func wantedTypes(schema map[string]any, types []string) string {
	if schema["format"] == "quantity" {
		return "a whole number or a quoted quantity"
	}
	names := make([]string, len(types))
	for i, name := range types {
		names[i] = typeNames[name]
	}
	return strings.Join(names, " or ")
}

// shown is a value as a message shows it: short, and with its type.
func shown(value any) string {
	switch value := value.(type) {
	case map[string]any:
		return "a mapping"
	case []any:
		return "a list"
	case string:
		return "the string " + quote(value)
	case nil:
		return "null"
	default:
		return fmt.Sprint(value)
	}
}

// quote quotes a text, of which it keeps the beginning.
func quote(s string) string {
	const most = 80
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	return fmt.Sprintf("%q", s)
}

// butIs is the part of a message that says what was found, if it is short.
func butIs(value any) string {
	switch value := value.(type) {
	case string:
		return "; it is " + quote(value)
	case json.Number, bool:
		return fmt.Sprintf("; it is %v", value)
	}
	return ""
}

// malformed reports a value or, of a map, a key that is not of its format.
func (r *reporter) malformed(schema map[string]any, at path, isKey bool) {
	name, _ := schema["format"].(string)
	format := formats[name]
	if isKey {
		r.add(at, format.rule, "its key must be %s", format.says)
		return
	}
	r.add(at, format.rule, "must be %s%s", format.says, butIs(at.from(r.object)))
}

// outside reports a value that is not among those that are allowed.
func (r *reporter) outside(schema map[string]any, keyword string, at path) {
	r.add(at, finding.InvalidValue, "%s%s", limit(keyword, schema[keyword], at.from(r.object)), butIs(at.from(r.object)))
}

// limit says what a keyword allows.
func limit(keyword string, allowed, value any) string {
	switch keyword {
	case "enum":
		return "must be " + oneOf(allowed)
	case "pattern":
		return fmt.Sprintf("must match %v", allowed)
	case "minimum":
		return fmt.Sprintf("must be at least %v", allowed)
	case "maximum":
		return fmt.Sprintf("must be at most %v", allowed)
	case "minLength":
		return "must not be empty"
	case "maxLength":
		return fmt.Sprintf("must be no longer than %v characters; it has %d", allowed, len([]rune(fmt.Sprint(value))))
	case "minItems", "minProperties":
		return fmt.Sprintf("must hold at least %v; it is empty", allowed)
	case "maxItems", "maxProperties":
		return fmt.Sprintf("must hold at most %v; it holds %d", allowed, size(value))
	}
	return "does not fit the schema's " + keyword
}

func oneOf(values any) string {
	list, _ := values.([]any)
	quoted := make([]string, len(list))
	for i, value := range list {
		quoted[i] = fmt.Sprintf("%q", value)
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return "one of " + strings.Join(quoted, ", ")
}

func size(value any) int {
	switch value := value.(type) {
	case []any:
		return len(value)
	case map[string]any:
		return len(value)
	}
	return 0
}
