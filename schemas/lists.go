// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"strconv"
	"strings"

	"github.com/trainyard/trainyard/internal/jsontree"
	"github.com/trainyard/trainyard/render/finding"
)

// What a CRD asks of a list's items: those of a set differ, and those of a map
// differ in their keys.
const (
	listIsSet = "set"
	listIsMap = "map"
)

// checkDistinct reports the items that stand in the list already.
func (r *reporter) checkDistinct(schema *definition, list *jsontree.Value) {
	if schema.ListType == "" || len(list.Items) < 2 {
		return
	}
	item, err := r.document.follow(schema.Items)
	if err != nil {
		r.add(finding.Internal, "%v", err)
		return
	}
	first := make(map[string]int, len(list.Items))
	for i := range list.Items {
		identity, known := identityOf(&list.Items[i], schema, item)
		at, twice := first[identity]
		if !known {
			continue
		}
		if !twice {
			first[identity] = i
			continue
		}
		r.below(path{strconv.Itoa(i)}, func() {
			r.add(finding.DuplicateItem, "%s stands at [%d] already; keep one of the two", shownIdentity(identity, schema), at)
		})
	}
}

// identityOf is what tells an item from others: the values of its keys. It is not
// known if one is missing, or no scalar, which is found elsewhere.
func identityOf(value *jsontree.Value, list, item *definition) (identity string, known bool) {
	if list.ListType == listIsSet {
		return value.Text, value.Text != ""
	}
	for i, name := range list.ListKeys {
		key := value.At(name)
		if key.Kind == jsontree.Missing && item.Properties[name] != nil {
			key = &item.Properties[name].Default.Value
		}
		if key.Kind == jsontree.Missing || key.Items != nil {
			return "", false
		}
		if i > 0 {
			identity += between
		}
		identity += key.Text
	}
	return identity, true
}

// between keeps the keys of an identity apart.
const between = "\x00"

// shownIdentity is an identity as a person reads it.
func shownIdentity(identity string, list *definition) string {
	if list.ListType == listIsSet {
		return identity
	}
	parts := strings.Split(identity, between)
	for i, name := range list.ListKeys {
		parts[i] = name + " " + parts[i]
	}
	return strings.Join(parts, ", ")
}
