// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package lazyregexp holds regular expressions that most runs of a program do
// not need: to compile all of them takes a fortieth of the time of a short run.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that gives the expression. It is compiled by the first
// call, which panics if it is none.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
