// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/trainyard/trainyard/internal/jsontree"
)

// serverSet are the fields of an object's metadata that only a server writes.
var serverSet = []string{
	"uid", "resourceVersion", "generation", "managedFields", "selfLink", "ownerReferences",
	"deletionTimestamp", "deletionGracePeriodSeconds",
}

// cleaned cleans the tree of an object, and writes it again if that changed it.
func cleaned(object []byte, tree *jsontree.Value) []byte {
	if !clean(tree) {
		return object
	}
	return tree.AppendJSON(nil)
}

// memories hold one tree after another: each is done with when its object is
// judged.
var memories = sync.Pool{New: func() any { return new(jsontree.Memory) }}

// reading reads one JSON object and lends its tree.
func reading(object []byte, do func(*jsontree.Value)) error {
	memory, _ := memories.Get().(*jsontree.Memory)
	defer memories.Put(memory)
	tree, err := memory.Read(object)
	if err != nil {
		return fmt.Errorf("read object: %w", err)
	}
	if tree.Kind != jsontree.Object {
		return errors.New("read object: it is something else")
	}
	do(&tree)
	return nil
}

// clean drops what an export brings along: null, which stands for an absent
// field, the status, and what a server sets in the metadata. It reports whether
// there was any of it.
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
