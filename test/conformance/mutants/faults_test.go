// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// To try the faults takes too long for every change; whether their lines are
// still there is seen at once.
func TestEveryFaultHasItsLine(t *testing.T) {
	for _, f := range faults {
		text, err := os.ReadFile(filepath.Join("../../..", f.file))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.in(string(text)); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
	}
}
