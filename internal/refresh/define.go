// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
)

// definer gives each kind of object within a schema a definition of its own,
// so that what occurs twice is written once, and a reader of the file can take
// the definitions that it needs and leave the others unread.
type definer struct {
	names       map[string]string // text of a definition to its name
	definitions map[string]*schema
}

// define moves the objects within a root schema to its definitions.
func (s *schema) define() {
	d := definer{names: map[string]string{}, definitions: map[string]*schema{}}
	d.nameAll(s)
	s.eachChild(func(_ string, child **schema) { d.replace(child) })
	s.Definitions = d.definitions
}

// place is a schema, and the properties that lead to it.
type place struct {
	schema *schema
	path   []string
}

// nameAll names the objects within a root schema, those at its surface first:
// they get the shortest names.
func (d definer) nameAll(root *schema) {
	for level := []place{{schema: root}}; len(level) > 0; {
		var next []place
		for _, at := range level {
			at.schema.eachChild(func(property string, child **schema) {
				below := place{*child, slices.Concat(at.path, []string{property})}
				next = append(next, below)
				d.name(below)
			})
		}
		level = next
	}
}

// name gives an object with fields a name, unless it has one.
func (d definer) name(at place) {
	text := at.schema.text()
	if len(at.schema.Properties) == 0 || d.names[text] != "" {
		return
	}
	properties := slices.DeleteFunc(slices.Clone(at.path), func(s string) bool { return s == "" })
	for i := range slices.Backward(properties) {
		name := strings.Join(properties[i:], ".")
		if _, taken := d.definitions[name]; !taken {
			d.names[text], d.definitions[name] = name, at.schema
			return
		}
	}
}

// replace puts a reference in the place of an object with a name.
func (d definer) replace(s **schema) {
	name := d.names[(*s).text()]
	(*s).eachChild(func(_ string, child **schema) { d.replace(child) })
	if name != "" {
		*s = &schema{Ref: "#/definitions/" + name}
	}
}
