// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package vendoring

import (
	"bytes"
	"slices"

	"github.com/trainyard/trainyard/render/finding"
)

// Status says how a runtime elsewhere and the one in git stand to each other.
type Status string

// The ways in which they can.
const (
	Same    Status = "same"
	Differs Status = "differs"
	New     Status = "new"  // it is not in git
	Gone    Status = "gone" // it is in git alone
)

// Comparison is one runtime, elsewhere and in git.
type Comparison struct {
	Ref           finding.Ref
	Status        Status
	There, Here   Runtime // elsewhere, in git; zero where it is not
	First, Second string  // the first line that differs: elsewhere, in git
}

// Compare holds the runtimes that are in git against those elsewhere: first
// those from there in their order, then those that are gone.
func Compare(there, here []Runtime) []Comparison {
	var all []Comparison
	for _, r := range there {
		c := Comparison{Ref: r.Ref, Status: New, There: r}
		if i := slices.IndexFunc(here, r.names); i >= 0 {
			c.Here, c.Status = here[i], Same
			if !bytes.Equal(r.Text, c.Here.Text) {
				c.Status = Differs
				c.First, c.Second = firstDifference(r.Text, c.Here.Text)
			}
		}
		all = append(all, c)
	}
	for _, r := range here {
		if !slices.ContainsFunc(there, r.names) {
			all = append(all, Comparison{Ref: r.Ref, Status: Gone, Here: r})
		}
	}
	return all
}

// names reports whether the other is the same runtime elsewhere.
func (r Runtime) names(other Runtime) bool {
	return r.Ref.Kind == other.Ref.Kind && r.Ref.Namespace == other.Ref.Namespace && r.Ref.Name == other.Ref.Name
}

// firstDifference returns the first lines in which two texts part.
func firstDifference(a, b []byte) (string, string) {
	as, bs := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(as), len(bs)) {
		if !bytes.Equal(as[i], bs[i]) {
			return string(bytes.TrimSpace(as[i])), string(bytes.TrimSpace(bs[i]))
		}
	}
	return "", ""
}
