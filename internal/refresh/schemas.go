// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"
)

// schemaFile turns a CRD into a closed JSON Schema, and names its file.
func schemaFile(m module, c crd) (name string, text []byte, err error) {
	for _, version := range c.Spec.Versions {
		if !version.Storage {
			continue
		}
		var root schema
		if err := strictly(version.Schema.OpenAPIV3Schema, &root); err != nil {
			return "", nil, fmt.Errorf("read schema of %s: %w", c.Spec.Names.Kind, err)
		}
		root.close()
		root.standAlone(c.Spec.Group+"/"+version.Name, c.Spec.Names.Kind)
		root.define()
		root.Comment = m.generated()
		text, err := root.render()
		return fileName(c.Spec.Group, c.Spec.Names.Kind, version.Name), text, err
	}
	return "", nil, fmt.Errorf("%s has no stored version", c.Spec.Names.Kind)
}

// fileName is unique within the folder: two groups have a PodGroup.
func fileName(group, kind, version string) string {
	if kind == "PodGroup" {
		kind += "." + group
	}
	return strings.ToLower(kind) + "_" + version + ".json"
}

// close makes a schema and all within it refuse fields that it does not name,
// as kubectl does, and drops what says nothing about an object in a file.
func (s *schema) close() {
	s.Description, s.MapType = "", ""
	if s.ListType == "atomic" {
		s.ListType = ""
	}
	s.Rules = slices.DeleteFunc(s.Rules, rule.comparesWithEarlier)
	if s.IntOrString {
		s.AnyOf, s.Type, s.Format = nil, kinds{"integer", "string"}, "int32"
	}
	if strings.HasPrefix(s.Pattern, `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))`) {
		s.Pattern, s.Format = "", "quantity"
	}
	if s.Format == "" && slices.Equal(s.Type, kinds{"integer"}) {
		s.Format = "int64"
	}
	if slices.Equal(s.Type, kinds{"object"}) && s.Additional == nil {
		s.Additional = &additional{}
	}
	s.eachChild(func(_ string, child **schema) { (*child).close() })
	if metadata := s.Properties["metadata"]; metadata != nil && metadata.Properties["labels"] != nil {
		s.Properties["metadata"] = embeddedMetadata()
	}
}

// standAlone adds what the API server knows of each object by itself. The
// status is not there: it is dropped before an object is judged.
func (s *schema) standAlone(apiVersion, kind string) {
	s.Draft = "http://json-schema.org/draft-07/schema#"
	delete(s.Properties, "status")
	s.Properties["apiVersion"] = &schema{Type: kinds{"string"}, Enum: []string{apiVersion}}
	s.Properties["kind"] = &schema{Type: kinds{"string"}, Enum: []string{kind}}
	s.Properties["metadata"] = objectMetadata()
	if len(s.Rules) > 0 {
		s.Properties["metadata"].Properties["name"].Format = "" // the kind has a stricter rule of its own
	}
	for _, field := range []string{"metadata", "kind", "apiVersion"} {
		if !slices.Contains(s.Required, field) {
			s.Required = slices.Insert(s.Required, 0, field)
		}
	}
}

// objectMetadata is what a person writes of an object's metadata. The formats
// are those of Kubernetes' declarative validation.
func objectMetadata() *schema {
	m := embeddedMetadata()
	m.Required = []string{"name"}
	m.Properties["name"].Format = "k8s-long-name"
	m.Properties["namespace"].Format = "k8s-short-name"
	return m
}

// embeddedMetadata is the metadata of a template. The name of a template means
// nothing yet, so any will do.
func embeddedMetadata() *schema {
	text := func(format string) *schema { return &schema{Type: kinds{"string"}, Format: format} }
	return &schema{
		Type:       kinds{"object"},
		Additional: &additional{},
		Properties: map[string]*schema{
			"name":        text(""),
			"namespace":   text(""),
			"labels":      {Type: kinds{"object"}, Keys: &schema{Format: "k8s-label-key"}, Additional: &additional{text("k8s-label-value")}},
			"annotations": {Type: kinds{"object"}, Keys: &schema{Format: "k8s-annotation-key"}, Additional: &additional{text("")}},
			"finalizers":  {Type: kinds{"array"}, ListType: "set", Items: text("")},
		},
	}
}
