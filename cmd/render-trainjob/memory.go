// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"runtime/debug"
)

// paceCollector sets the pace of the garbage collector for a run that will hold
// so many bytes and little more: a small one ends before it is worth to collect
// anything, a large one may grow by as much as it holds. A pace that the user set
// stays.
func paceCollector(held int) {
	const (
		least, most = 100, 800 // percent of what is held that may be garbage
		room        = 300 << 20
	)
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(min(least+room/max(held, 1), most))
}
