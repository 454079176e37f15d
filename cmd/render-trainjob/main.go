// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Command render-trainjob renders TrainJobs as JobSets: a KRM function on stdin
// and stdout without arguments, a command line with them.
package main

import (
	"errors"
	"fmt"
	"os"
)

// The exit codes.
const (
	exitFindings = 1 // a finding is an error
	exitUsage    = 2 // the call was wrong, or a file could not be read
)

// errFindings says that the findings, which were printed, hold an error.
var errFindings = errors.New("there are errors")

func main() {
	err := newRoot().Execute()
	switch {
	case err == nil:
	case errors.Is(err, errFindings):
		os.Exit(exitFindings)
	default:
		fmt.Fprintln(os.Stderr, "render-trainjob:", err)
		os.Exit(exitUsage)
	}
}
