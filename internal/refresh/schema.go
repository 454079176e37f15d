// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// schema is a JSON Schema with the keywords that CRDs use. A CRD is decoded
// into it strictly, so that a keyword of a new release is noticed, not lost.
type schema struct {
	Draft       string             `json:"$schema,omitempty"`
	Comment     string             `json:"$comment,omitempty"`
	Ref         string             `json:"$ref,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        kinds              `json:"type,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Default     any                `json:"default,omitempty"`
	Format      string             `json:"format,omitempty"`
	Pattern     string             `json:"pattern,omitempty"`
	Minimum     *int64             `json:"minimum,omitempty"`
	Maximum     *int64             `json:"maximum,omitempty"`
	MinLength   *int64             `json:"minLength,omitempty"`
	MaxLength   *int64             `json:"maxLength,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	Rules       []rule             `json:"x-kubernetes-validations,omitempty"`
	IntOrString bool               `json:"x-kubernetes-int-or-string,omitempty"`
	MapType     string             `json:"x-kubernetes-map-type,omitempty"`
	ListType    string             `json:"x-kubernetes-list-type,omitempty"`
	ListMapKeys []string           `json:"x-kubernetes-list-map-keys,omitempty"`
	MinItems    *int64             `json:"minItems,omitempty"`
	MaxItems    *int64             `json:"maxItems,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	Required    []string           `json:"required,omitempty"`
	MinProps    *int64             `json:"minProperties,omitempty"`
	MaxProps    *int64             `json:"maxProperties,omitempty"`
	Keys        *schema            `json:"propertyNames,omitempty"`
	Additional  *additional        `json:"additionalProperties,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Definitions map[string]*schema `json:"definitions,omitempty"`
}

// rule is one entry of x-kubernetes-validations.
type rule struct {
	Rule      string `json:"rule"`
	Message   string `json:"message,omitempty"`
	FieldPath string `json:"fieldPath,omitempty"`
	Reason    string `json:"reason,omitempty"`
}

// comparesWithEarlier reports whether the rule needs the object as it was
// before: such a rule means nothing to an object in a file.
func (r rule) comparesWithEarlier() bool { return strings.Contains(r.Rule, "oldSelf") }

// kinds is one type or several.
type kinds []string

func (t kinds) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

func (t *kinds) UnmarshalJSON(text []byte) error {
	var one string
	err := json.Unmarshal(text, &one)
	*t = kinds{one}
	return err
}

// additional says what a map's values are; without a schema there may be none.
type additional struct{ Values *schema }

func (a additional) MarshalJSON() ([]byte, error) {
	if a.Values == nil {
		return []byte("false"), nil
	}
	return json.Marshal(a.Values)
}

func (a *additional) UnmarshalJSON(text []byte) error { return strictly(text, &a.Values) }

// strictly decodes JSON and refuses what the target has no place for.
func strictly(text []byte, target any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(target)
}

// render writes the schema as people read it.
func (s *schema) render() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(s); err != nil {
		return nil, fmt.Errorf("write schema: %w", err)
	}
	return out.Bytes(), nil
}

// text is the schema on one line; two that say the same have the same.
func (s *schema) text() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Errorf("write schema: %w", err)) // a schema is plain data
	}
	return string(text)
}

// eachChild calls f with each schema directly within s, and with its property;
// what a list or a map holds has none.
func (s *schema) eachChild(f func(property string, child **schema)) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		child := s.Properties[name]
		f(name, &child)
		s.Properties[name] = child
	}
	if s.Items != nil {
		f("", &s.Items)
	}
	if s.Additional != nil && s.Additional.Values != nil {
		f("", &s.Additional.Values)
	}
}
