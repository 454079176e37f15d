// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import "github.com/trainyard/trainyard/internal/jsontree"

// tidy drops the fields that no one set: nulls, and the empty values that API
// types write since they are structs, not pointers. Other empty values mean
// something (emptyDir: {}) and stay.
func tidy(value *jsontree.Value) {
	for i := range value.Items {
		tidy(&value.Items[i])
	}
	if value.Kind == jsontree.Object {
		value.Drop(unset)
	}
}

func unset(field *jsontree.Value) bool {
	switch field.Key {
	case "creationTimestamp", "metadata", "resources", "status":
		return field.Kind == jsontree.Null || field.Kind == jsontree.Object && len(field.Items) == 0
	default:
		return field.Kind == jsontree.Null
	}
}
