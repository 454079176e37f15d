// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"strings"

	"github.com/trainyard/trainyard/internal/lazyregexp"
)

// brief is a JSON value as it is said in passing.
func brief(value string) string {
	if runes := []rune(value); len(runes) > longest {
		value = string(runes[:longest-1]) + "…"
	}
	return value
}

// longest is how many characters of a value are said in passing.
const longest = 40

// briefPair is both values of an edit; of long ones what they begin with alike
// is left out.
func briefPair(was, is string) string {
	const context = 10
	a, b := []rune(was), []rune(is)
	alike := 0
	for alike < min(len(a), len(b)) && a[alike] == b[alike] {
		alike++
	}
	if cut := alike - context; cut > 0 && max(len(a), len(b)) > longest {
		was, is = "…"+string(a[cut:]), "…"+string(b[cut:])
	}
	return brief(was) + " → " + brief(is)
}

// code keeps markdown from reading values as anything else.
func code(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }

// inTemplate finds what of a path is the same for all fields of a Job or pod.
var inTemplate = lazyregexp.New(`^spec\.replicatedJobs\[name=([^\]]*)\]\.(template\.spec\.template\.(?:spec\.)?|template\.(?:spec\.)?)?`)

// briefPath names a field by the replicated job and what follows in its pods or
// its Jobs.
func briefPath(path string) string {
	match := inTemplate().FindStringSubmatch(path)
	switch {
	case match == nil:
		return path
	case strings.HasPrefix(match[2], "template.spec.template."):
		return match[1] + " pods: " + path[len(match[0]):]
	case match[2] != "":
		return match[1] + " jobs: " + path[len(match[0]):]
	default:
		return match[1] + ": " + path[len(match[0]):]
	}
}
