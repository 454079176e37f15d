// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package nearest guesses which known name a misspelt one was meant to be.
package nearest

import (
	"slices"
	"strings"
)

// Name returns the known name that is nearest to the given one, or "" if none
// is near enough to be worth naming: at most a third of the longer name may
// differ. Case does not count. Of equals, the first wins.
func Name(given string, known []string) string {
	best, fewest := "", -1
	for _, name := range known {
		edits := distance(strings.ToLower(given), strings.ToLower(name))
		if edits*3 <= max(len(given), len(name)) && (fewest < 0 || edits < fewest) {
			best, fewest = name, edits
		}
	}
	return best
}

// distance is the Levenshtein distance, in bytes: the names of an API are ASCII.
func distance(a, b string) int {
	row := make([]int, len(b)+1) // row[j]: from a[:i] to b[:j]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			swap := diagonal
			if a[i] != b[j] {
				swap++
			}
			diagonal = row[j+1]
			row[j+1] = slices.Min([]int{row[j+1] + 1, row[j] + 1, swap})
		}
	}
	return row[len(b)]
}
