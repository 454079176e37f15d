// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package jsontree reads JSON into a tree that keeps the order of an object's
// fields, and the text of its numbers. It takes what encoding/json takes and
// nothing else, at a quarter of the cost: no maps are made, and the strings are
// parts of the text.
package jsontree
