// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"github.com/trainyard/trainyard/internal/jsontree"
)

// WithoutDefaults returns the object, which is JSON, without the fields that
// hold what an API server would fill in for them. An object of an unknown kind
// keeps all of its fields. An empty string stays: Go's types leave it out.
func WithoutDefaults(object []byte) (bare []byte, err error) {
	unread := reading(object, func(tree *jsontree.Value) {
		if d := documentOf(kindOf(tree)); d != nil {
			err = d.dropDefaults(&definition{Ref: refPrefix + root}, tree)
		}
		bare = tree.AppendJSON(nil)
	})
	if unread != nil {
		return nil, unread
	}
	return bare, err
}

// dropDefaults takes the defaults out of a value. A nil schema knows of none.
func (d *document) dropDefaults(schema *definition, value *jsontree.Value) error {
	if schema == nil {
		return nil
	}
	schema, err := d.follow(schema)
	if err != nil {
		return err
	}
	value.Drop(func(field *jsontree.Value) bool {
		property := schema.Properties[field.Key]
		return property != nil && property.Default.is(field)
	})
	for i := range value.Items {
		below := schema.Items
		if value.Kind == jsontree.Object {
			below = schema.Properties[value.Items[i].Key]
		}
		if err := d.dropDefaults(below, &value.Items[i]); err != nil {
			return err
		}
	}
	return nil
}
