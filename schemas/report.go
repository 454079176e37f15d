// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trainyard/trainyard/internal/jsontree"
	"github.com/trainyard/trainyard/render/finding"
)

// reporter goes through an object, and gathers what is wrong with it.
type reporter struct {
	document *document
	written  Written
	at       path // of the value that it looks at
	found    []located
}

// located is a finding with the path of its field.
type located struct {
	finding.Finding
	path path
}

// add reports something about the value that is looked at.
func (r *reporter) add(rule finding.Rule, format string, args ...any) {
	at := slices.Clone(r.at)
	r.found = append(r.found, located{finding.Errorf(rule, at.field(), format, args...), at})
}

// below reports about something within the value.
func (r *reporter) below(steps path, report func()) {
	r.at = append(r.at, steps...)
	report()
	r.at = r.at[:len(r.at)-len(steps)]
}

// outOfRange reports the numbers that no field can hold, such as 1e999999999, on
// which to compute would take a long time.
func (r *reporter) outOfRange(value *jsontree.Value) {
	if value.Kind == jsontree.Number {
		exponent := strings.IndexAny(value.Text, "eE") + 1
		if len(value.Text) > 100 || exponent > 0 && len(value.Text)-exponent > len("+308") {
			r.add(finding.InvalidValue, "is out of range: %s; write a number that a 64-bit field can hold", quote(value.Text))
		}
		return
	}
	for i := range value.Items {
		step := value.Items[i].Key
		if value.Kind == jsontree.List {
			step = strconv.Itoa(i)
		}
		r.at = append(r.at, step)
		r.outOfRange(&value.Items[i])
		r.at = r.at[:len(r.at)-1]
	}
}

// unknownField reports the field that is looked at, which the schema of the
// object around it does not name.
func (r *reporter) unknownField(schema *definition, name string) {
	known := slices.Sorted(maps.Keys(schema.Properties))
	r.add(finding.UnknownField, "%s", unknownField(name, r.at[:len(r.at)-1], known))
}

// wrongType says what was found in place of what is wanted, and how to write it.
func (r *reporter) wrongType(schema *definition, value *jsontree.Value) {
	is := shown(value)
	text := is
	if r.written != nil && isPlain(value) {
		if written := r.written(r.at.field()); written != "" && written != is {
			is, text = fmt.Sprintf("%s, which YAML reads as %s", written, is), written
		}
	}
	r.add(finding.WrongType, "must be %s; it is %s%s", wantedTypes(schema), is, otherQuotes(value, text, schema.Type))
}
