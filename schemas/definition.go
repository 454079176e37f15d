// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync/atomic"

	"github.com/trainyard/trainyard/internal/jsontree"
)

// definition is what a place in a schema file asks of a value: the keywords
// that the files use, with their meaning in JSON Schema and in CRDs. Another
// keyword can't be read.
type definition struct {
	Ref                  string                 `json:"$ref"` // another definition, which then says all
	Type                 oneOrMore              `json:"type"`
	Format               string                 `json:"format"`
	Enum                 []string               `json:"enum"`
	Minimum              *int64                 `json:"minimum"`
	MinLength            int                    `json:"minLength"`
	MaxLength            *int                   `json:"maxLength"`
	MinItems             int                    `json:"minItems"`
	MaxItems             *int                   `json:"maxItems"`
	MinProperties        int                    `json:"minProperties"`
	Required             []string               `json:"required"`
	Properties           map[string]*definition `json:"properties"`
	AdditionalProperties more                   `json:"additionalProperties"`
	PropertyNames        names                  `json:"propertyNames"`
	Items                *definition            `json:"items"`
	Default              scalar                 `json:"default"`
	ListType             string                 `json:"x-kubernetes-list-type"`
	ListKeys             []string               `json:"x-kubernetes-list-map-keys"`
	Rules                []rule                 `json:"x-kubernetes-validations"`

	referred atomic.Pointer[definition] // that of Ref, once it has been read

	// For other readers than this one.
	Schema      string `json:"$schema"`
	Comment     string `json:"$comment"`
	IntOrString bool   `json:"x-kubernetes-int-or-string"`
}

// names is what a map asks of its keys.
type names struct {
	Format string `json:"format"`
}

// oneOrMore is a list that may stand there as its only item.
type oneOrMore []string

// UnmarshalJSON implements json.Unmarshaler.
func (o *oneOrMore) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		*o = make(oneOrMore, 1)
		return json.Unmarshal(text, &(*o)[0])
	}
	return json.Unmarshal(text, (*[]string)(o))
}

// more is what an object asks of the fields that it does not name.
type more struct {
	closed bool        // there may be none
	of     *definition // nil: nothing
}

// UnmarshalJSON implements json.Unmarshaler.
func (m *more) UnmarshalJSON(text []byte) error {
	if m.closed = string(text) == "false"; m.closed {
		return nil
	}
	m.of = &definition{}
	return decodeStrictly(text, m.of)
}

// scalar is a default: no other one stands in the files.
type scalar struct{ jsontree.Value }

// UnmarshalJSON implements json.Unmarshaler.
func (s *scalar) UnmarshalJSON(text []byte) (err error) {
	s.Value, err = jsontree.Read(text)
	return err
}

// is reports whether a value is the default. An empty string is none: Go's types
// leave it out.
func (s scalar) is(value *jsontree.Value) bool {
	return s.Kind == value.Kind && s.Text == value.Text && s.Text != ""
}

// decodeStrictly decodes JSON in which each field is one of the value's.
func decodeStrictly[T any](text []byte, into *T) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("decode a schema: %w", err)
	}
	return nil
}
