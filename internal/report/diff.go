// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/json"
	"slices"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
)

// Class is what applying a new rendering does to a run that exists.
type Class string

// The classes, worst first.
const (
	StopsRun  Class = "stops"     // an edit that the run can't take: it must be stopped and made anew
	Suspends  Class = "suspends"  // it stops until someone resumes it
	Removed   Class = "removed"   // its JobSet goes, and the run with it if it still runs
	Ended     Class = "ended"     // its JobSet goes, since the run is marked as completed
	InPlace   Class = "in-place"  // edits that the run takes and goes on
	New       Class = "new"       // it starts
	Unchanged Class = "unchanged" // nothing happens
)

// Diff is what becomes of runs from one rendering to the next.
type Diff struct {
	GPUs Span      `json:"gpus"`
	Runs []DiffRun `json:"runs"`
}

// Span is a number before and after.
type Span struct {
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// DiffRun is what becomes of one run.
type DiffRun struct {
	Namespace string     `json:"namespace,omitempty"`
	Name      string     `json:"name"`
	Class     Class      `json:"class"`
	GPUs      Span       `json:"gpus"`
	SameJob   bool       `json:"sameTrainJob"` // the TrainJob did not change: with --previous the run stays as it was rendered
	Edits     []DiffEdit `json:"edits,omitempty"`

	jobSet  string // its name
	runtime string // Kind/name
}

// DiffEdit is one edit of the JobSet or of a companion.
type DiffEdit struct {
	Object finding.Ref     `json:"object"`
	Path   string          `json:"path,omitempty"` // empty: the object itself
	Was    json.RawMessage `json:"was,omitempty"`
	Is     json.RawMessage `json:"is,omitempty"`
	Effect render.Effect   `json:"effect"`
	Source string          `json:"source,omitempty"` // who makes the edit, as far as it is known
	Place  string          `json:"place,omitempty"`
}

// Compare says what becomes of the runs.
func Compare(was, is []Run) Diff {
	d := Diff{Runs: []DiffRun{}}
	for _, pair := range pairs(sorted(was), sorted(is)) {
		if run := compareRun(pair.was, pair.is); run.Class != "" {
			d.GPUs.Before += run.GPUs.Before
			d.GPUs.After += run.GPUs.After
			d.Runs = append(d.Runs, run)
		}
	}
	return d
}

// pair is a run on both sides. Who is on one side alone is zero on the other.
type pair struct{ was, is Run }

// pairs joins runs by the name of the JobSet, else by that of the TrainJob.
func pairs(was, is []Run) []pair {
	joined := make([]pair, len(was))
	rest := slices.Clone(is)
	take := func(i int, same func(a, b Run) bool) {
		at := slices.IndexFunc(rest, func(r Run) bool { return joined[i].is.Name == "" && same(was[i], r) })
		if at >= 0 {
			joined[i].is = rest[at]
			rest = slices.Delete(rest, at, at+1)
		}
	}
	for i := range was {
		joined[i].was = was[i]
		take(i, sameJobSet)
	}
	for i := range was {
		take(i, sameTrainJob)
	}
	var added []pair
	for _, run := range rest {
		added = append(added, pair{is: run})
	}
	return slices.Concat(joined, added)
}

func sameJobSet(a, b Run) bool {
	return a.Namespace == b.Namespace && a.JobSet != nil && b.JobSet != nil && a.JobSet.Name == b.JobSet.Name
}

func sameTrainJob(a, b Run) bool { return a.Namespace == b.Namespace && a.Name == b.Name }

// Stops reports whether a run would be stopped: by an edit, or because its
// JobSet goes.
func (d Diff) Stops() bool {
	return slices.ContainsFunc(d.Runs, func(r DiffRun) bool {
		return slices.Contains([]Class{StopsRun, Suspends, Removed}, r.Class)
	})
}

// compareRun says what becomes of one run; it has no class if it is on neither
// side.
func compareRun(was, is Run) DiffRun {
	named := was
	if named.Name == "" {
		named = is
	}
	run := DiffRun{Namespace: named.Namespace, Name: named.Name, runtime: named.Runtime(), GPUs: Span{was.gpus(), is.gpus()}}
	if named.JobSet != nil {
		run.jobSet = named.JobSet.Name
	}
	switch {
	case was.JobSet == nil && is.JobSet == nil:
	case was.JobSet == nil:
		run.Class, run.jobSet, run.runtime = New, is.JobSet.Name, is.Runtime()
	case is.JobSet == nil && is.Ended:
		run.Class = Ended
	case is.JobSet == nil && blocked(is):
		// an error hinders it, so what was applied stays
	case is.JobSet == nil:
		run.Class = Removed
	default:
		run.Edits = edits(was, is)
		run.Class = classOf(run.Edits)
		run.SameJob = was.JobSet.Annotations[marks.SourceDigest] == is.JobSet.Annotations[marks.SourceDigest]
	}
	return run
}

func blocked(r Run) bool { return finding.Blocking(r.Findings) }

// classOf is the worst that one of the edits does.
func classOf(edits []DiffEdit) Class {
	class := Unchanged
	for _, e := range edits {
		switch {
		case e.Effect == render.Refused, e.Path == renamed:
			return StopsRun
		case e.Effect == render.Stops:
			class = Suspends
		case class == Unchanged:
			class = InPlace
		}
	}
	return class
}
