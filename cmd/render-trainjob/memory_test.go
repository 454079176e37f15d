// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"runtime/debug"
	"testing"
)

func TestPaceCollector(t *testing.T) {
	before := debug.SetGCPercent(50)
	defer debug.SetGCPercent(before)
	t.Setenv("GOGC", "50")
	paceCollector(1)
	if pace := debug.SetGCPercent(50); pace != 50 {
		t.Errorf("the user's pace has become %d", pace)
	}
	t.Setenv("GOGC", "")
	for held, want := range map[int]int{1: 800, 1 << 20: 400, 1 << 30: 100} {
		paceCollector(held)
		if pace := debug.SetGCPercent(50); pace != want {
			t.Errorf("with %d bytes the pace is %d, want %d", held, pace, want)
		}
	}
}
