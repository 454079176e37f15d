// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package manifest reads and writes the text of Kubernetes objects.
//
// Reading: Parse takes one YAML document, JSON gives its object as JSON with
// every scalar as it was written (integers of any size, "yes" is a string) and
// with anchors and merge keys resolved, Line finds the line of a field. What a
// YAML reader elsewhere would take differently, or would lose, is a finding.
//
// Writing: YAML gives the JSON of an object the form in which people write
// manifests. The same JSON gives the same bytes; every string reads as that
// string in YAML 1.1 and in YAML 1.2.
package manifest
