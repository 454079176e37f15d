// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

// Ancestors returns the paths of the fields that a field is in, the outermost
// first.
func Ancestors(path string) []string {
	var ancestors []string
	for rest := path; ; {
		_, after := cutSegment(rest)
		if after == "" {
			return ancestors
		}
		ancestors = append(ancestors, path[:len(path)-len(after)])
		rest = after
	}
}
