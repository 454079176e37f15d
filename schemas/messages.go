// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trainyard/trainyard/internal/jsontree"
	"github.com/trainyard/trainyard/internal/nearest"
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

// otherQuotes is a remedy: quotes that are missing, around what the text has
// there, or too much.
func otherQuotes(value *jsontree.Value, text string, wanted []string) string {
	switch {
	case isPlain(value) && slices.Contains(wanted, "string"):
		return fmt.Sprintf("; quote it: \"%s\"", text)
	case value.Kind == jsontree.String && slices.Contains(wanted, typeOf(value.Text)):
		return "; write it without quotes: " + withoutQuotes(value.Text)
	}
	return ""
}

// isPlain reports whether a value stands without quotes in a text.
func isPlain(value *jsontree.Value) bool {
	return value.Kind == jsontree.Number || value.Kind == jsontree.Bool
}

// withoutQuotes is a number or a boolean as it must stand alone: YAML would take
// one that begins with a 0 for octal.
func withoutQuotes(text string) string {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	return text
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

func wantedTypes(schema *definition) string {
	if schema.Format == "quantity" {
		return "a whole number or a quoted quantity"
	}
	names := make([]string, len(schema.Type))
	for i, name := range schema.Type {
		names[i] = typeNames[name]
	}
	return strings.Join(names, " or ")
}

// shown is a value as a message shows it: short, and with its type.
func shown(value *jsontree.Value) string {
	switch value.Kind {
	case jsontree.Object:
		return "a mapping"
	case jsontree.List:
		return "a list"
	case jsontree.String:
		return "the string " + quote(value.Text)
	case jsontree.Number, jsontree.Bool:
		return value.Text
	default:
		return "null"
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
func butIs(value *jsontree.Value) string {
	switch value.Kind {
	case jsontree.String:
		return "; it is " + quote(value.Text)
	case jsontree.Number, jsontree.Bool:
		return "; it is " + value.Text
	default:
		return ""
	}
}

func oneOf(values []string) string {
	quoted := make([]string, len(values))
	for i, value := range values {
		quoted[i] = fmt.Sprintf("%q", value)
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return "one of " + strings.Join(quoted, ", ")
}
