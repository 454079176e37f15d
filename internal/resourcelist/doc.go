// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package resourcelist reads and writes a ResourceList, and plain files of
// manifests, item by item. An item that nobody asks about is never decoded: it
// passes through as the bytes that were read, in its place.
//
// A list of the regular form in which kustomize and kpt write it is cut into
// items by its indentation alone (scan.go). The scanner accepts only lines
// whose meaning it is sure of; anything else (flow style, JSON, anchors, tabs,
// strings over several lines) is read whole by kyaml (whole.go), which is
// always right and three times slower. The same lines give the tree of an object
// that is asked about (tree.go); where they are not regular the library does.
// A List of objects is taken apart into items (expand.go).
package resourcelist
