// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Command render-trainjob renders TrainJobs as JobSets: a KRM function on stdin
// and stdout without arguments, a command line with them.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// The exit codes.
const (
	exitOK       = 0
	exitFindings = 1 // a finding is an error
	exitUsage    = 2 // the call was wrong, or a file could not be read
	exitStops    = 3 // a run would be stopped
)

// errFindings says that the findings, which were printed, hold an error.
var errFindings = errors.New("there are errors")

// errStops says that what was printed stops a run.
var errStops = errors.New("a run would be stopped")

func main() {
	paceCollector(0) // until the input is read
	os.Exit(exitCode(newRoot().Execute(), os.Stderr))
}

// exitCode turns what a command returned into the program's exit code, and says
// what was wrong with the call.
func exitCode(err error, stderr io.Writer) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.Is(err, errStops):
		return exitStops
	default:
		_, _ = fmt.Fprintln(stderr, "render-trainjob:", err) // there is nobody left to tell
		return exitUsage
	}
}
