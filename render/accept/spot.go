// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/trainyard/trainyard/render/finding"
)

// spot is a field of the JobSet, the rule under which it is looked at, and the
// list to which a finding on it goes.
type spot struct {
	place
	rule  finding.Rule
	found *[]finding.Finding
}

// place leads to a field. It is written out only where there is something to
// say: of nearly all fields there is not.
type place struct {
	outer *place // what the name is in
	name  string
	key   string // in brackets behind the name
	keyed bool
	leaf  string // a field within, with which most places end
}

// here is the path for a validator of apimachinery's, whose errors refuseAll
// takes to the spot.
var here = field.NewPath("here")

func (p place) String() string {
	path := p.name
	if p.outer != nil {
		path = p.outer.String()
		if path != "" && p.name != "" {
			path += "."
		}
		path += p.name
	}
	if p.keyed {
		path += "[" + p.key + "]"
	}
	if p.leaf != "" {
		path += "." + p.leaf
	}
	return path
}

// deeper makes room for a step: it puts what leads there behind a pointer.
func (p place) deeper() place {
	leaf := p.leaf
	p.leaf = ""
	return place{outer: &p, name: leaf}
}

func (s spot) at(names ...string) spot {
	for _, name := range names {
		switch {
		case s.name == "" && !s.keyed:
			s.name = name
		case s.leaf != "":
			s.place = s.deeper()
			fallthrough
		default:
			s.leaf = name
		}
	}
	return s
}

// opened is a spot of which many fields are looked at: what leads there is kept
// once for all of them.
func (s spot) opened() spot {
	outer := s.place
	s.place = place{outer: &outer}
	return s
}

func (s spot) index(i int) spot { return s.key(strconv.Itoa(i)) }

func (s spot) key(k string) spot {
	if s.keyed || s.leaf != "" {
		s.place = s.deeper()
	}
	s.place.key, s.keyed = k, true
	return s
}

func (s spot) under(rule finding.Rule) spot {
	s.rule = rule
	return s
}

// refuse reports what a cluster would refuse.
func (s spot) refuse(format string, args ...any) {
	*s.found = append(*s.found, finding.Errorf(s.rule, s.String(), format, args...))
}

// warn reports what a cluster would take, to no good end.
func (s spot) warn(format string, args ...any) {
	*s.found = append(*s.found, finding.Warningf(s.rule, s.String(), format, args...))
}

// refuseIf refuses a value for the complaints that one of apimachinery's
// validators has about it.
func (s spot) refuseIf(complaints []string, value string) {
	if len(complaints) > 0 {
		s.refuse("%q is not allowed: %s", value, strings.Join(complaints, "; "))
	}
}

// refuseAll passes on the errors of a validator of apimachinery's that was
// given the path here.
func (s spot) refuseAll(errs field.ErrorList) {
	for _, err := range errs {
		at := s.String() + strings.TrimPrefix(err.Field, here.String())
		*s.found = append(*s.found, finding.Errorf(s.rule, at, "%s", err.ErrorBody()))
	}
}

// needs refuses an empty value.
func (s spot) needs(value string) {
	if value == "" {
		s.refuse("is missing; set it")
	}
}

// needsAll refuses the empty ones among the fields, each a name and its value.
func (s spot) needsAll(fields ...string) {
	for i := 0; i+1 < len(fields); i += 2 {
		s.at(fields[i]).needs(fields[i+1])
	}
}

// notNegative refuses a number below zero.
func (s spot) notNegative(n int64) {
	if n < 0 {
		s.refuse("must not be negative; it is %d", n)
	}
}

// atMost refuses too many of something.
func (s spot) atMost(n, most int) {
	if n > most {
		s.refuse("may hold at most %d; it holds %d", most, n)
	}
}

// within refuses a number outside the range.
func (s spot) within(n, low, high int64) {
	if n < low || n > high {
		s.refuse("must be between %d and %d; it is %d", low, high, n)
	}
}

// among refuses a value that is not one of those allowed.
func among[T ~string](s spot, value T, allowed ...T) {
	if !slices.Contains(allowed, value) {
		s.refuse("must be one of %s; it is %q", list(allowed), value)
	}
}

// amongIfSet is among for a field that the API fills in when it is empty.
func amongIfSet[T ~string](s spot, value T, allowed ...T) {
	if value != "" {
		among(s, value, allowed...)
	}
}

func list[T ~string](values []T) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = string(v)
	}
	return strings.Join(words, ", ")
}

// sorted returns the keys of a map in order, so that findings come in order.
func sorted[K ~string, V any](m map[K]V) []K {
	keys := slices.AppendSeq(make([]K, 0, len(m)), maps.Keys(m))
	slices.Sort(keys)
	return keys
}

// names remembers the names of a list and refuses one that comes twice.
type names map[string]bool

func (n names) once(s spot, name string) {
	if n[name] {
		s.refuse("%q is there twice; give each its own", name)
	}
	n[name] = true
}
