// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trainyard/trainyard/internal/golden"
)

// console finds the blocks of a document that show a command and what it
// prints.
var console = regexp.MustCompile("(?s)```console\n\\$ render-trainjob ([^\n]*)\n.*?```")

// TestReviewTellsTheTruth runs the commands of docs/review.md on the example
// that it is about.
func TestReviewTellsTheTruth(t *testing.T) {
	document, err := filepath.Abs("../../docs/review.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(read(t, document))
	t.Chdir("../../examples/pull-request")
	told := console.ReplaceAllStringFunc(text, func(block string) string {
		line := console.FindStringSubmatch(block)[1]
		out, findings, code := call(nil, strings.Fields(line)...)
		if code != exitOK && code != exitStops {
			t.Errorf("%s: exit code %d\n%s", line, code, findings)
		}
		return "```console\n$ render-trainjob " + line + "\n" + string(out) + "```"
	})
	golden.File(t, document, []byte(told))
}
