// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"errors"
	"fmt"
	"slices"

	"github.com/trainyard/trainyard/internal/jsontree"
)

// serverSet are the fields of an object's metadata that only a server writes.
var serverSet = []string{
	"uid", "resourceVersion", "generation", "managedFields", "selfLink", "ownerReferences",
	"deletionTimestamp", "deletionGracePeriodSeconds",
}

// Clean returns the object, which is JSON, without what an export brings along:
// null, which stands for an absent field, the status, and what a server sets in
// the metadata. Validate judges what Clean leaves; whoever decodes the object
// decodes that too.
func Clean(object []byte) ([]byte, error) {
	tree, err := read(object)
	if err != nil {
		return nil, err
	}
	return cleaned(object, &tree), nil
}

// cleaned cleans the tree of an object, and writes it again if that changed it.
func cleaned(object []byte, tree *jsontree.Value) []byte {
	if !clean(tree) {
		return object
	}
	return tree.AppendJSON(nil)
}

// read reads one JSON object.
func read(object []byte) (jsontree.Value, error) {
	tree, err := jsontree.Read(object)
	if err != nil {
		return tree, fmt.Errorf("read object: %w", err)
	}
	if tree.Kind != jsontree.Object {
		return tree, errors.New("read object: it is something else")
	}
	return tree, nil
}

// clean reports whether there was anything to drop.
func clean(object *jsontree.Value) bool {
	dropped := object.Drop(func(field *jsontree.Value) bool { return field.Key == "status" })
	dropped = object.At("metadata").Drop(setByServer) || dropped
	return dropNulls(object) || dropped
}

// setByServer: the API server reads an empty namespace as none.
func setByServer(field *jsontree.Value) bool {
	return slices.Contains(serverSet, field.Key) ||
		field.Key == "namespace" && field.Kind == jsontree.String && field.Text == ""
}

// dropNulls also drops creationTimestamp, which Go programs write into the
// metadata of templates.
func dropNulls(value *jsontree.Value) (dropped bool) {
	if value.Kind == jsontree.Object {
		dropped = value.Drop(func(field *jsontree.Value) bool {
			return field.Kind == jsontree.Null || field.Key == "creationTimestamp" && value.Key == "metadata"
		})
	}
	for i := range value.Items {
		dropped = dropNulls(&value.Items[i]) || dropped
	}
	return dropped
}
