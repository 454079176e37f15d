// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package generate makes TrainJobs and runtimes that nobody wrote.
//
// A pair is made of parts that fit each other more often than not, so that
// about half of the pairs render and their objects can be compared. Then a
// part of them is spoilt: a field is dropped, emptied, doubled, made negative
// or of the wrong type. The same seed and number always give the same pair.
package generate

import (
	"fmt"
	"math/rand/v2"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/trainyard/trainyard/test/conformance/cases"
)

// object and list are what YAML is made of.
type (
	object = map[string]any
	list   = []any
)

// dice decide.
type dice struct{ *rand.Rand }

// Generator makes pairs. It may be used by several goroutines at once.
type Generator struct {
	seed    uint64
	builtin []object // the Trainer's own runtimes, to start from
}

// New returns the generator of a seed.
func New(seed uint64, builtin []map[string]any) Generator {
	return Generator{seed: seed, builtin: builtin}
}

// Case returns the pair of a number.
func (g Generator) Case(number int) cases.Case {
	d := dice{rand.New(rand.NewPCG(g.seed, uint64(number)))} //nolint:gosec // a seed gives the same cases again
	name := fmt.Sprintf("seed-%d-case-%d", g.seed, number)
	r := d.runtime(g.builtin)
	c := cases.Case{Name: name, TrainJob: d.trainJob(r)}
	if r.written != nil {
		c.Others = append(c.Others, r.written)
	}
	d.spoil(c)
	return c.Clone()
}

// one in n.
func (d dice) one(n int) bool { return d.IntN(n) == 0 }

// percent of the time.
func (d dice) percent(p int) bool { return d.IntN(100) < p }

// pick one of several.
func pick[T any](d dice, from ...T) T { return from[d.IntN(len(from))] }

// some of them, in their order.
func some[T any](d dice, percent int, from ...T) []T {
	var chosen []T
	for _, one := range from {
		if d.percent(percent) {
			chosen = append(chosen, one)
		}
	}
	return chosen
}

// shuffled is some of them in any order.
func shuffled[T any](d dice, percent int, from ...T) []T {
	chosen := some(d, percent, from...)
	d.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	return chosen
}

// maybe sets a field so many times in a hundred.
func (d dice) maybe(percent int, in object, field string, value func() any) {
	if d.percent(percent) {
		in[field] = value()
	}
}

func copied(o object) object { return runtime.DeepCopyJSON(o) }
