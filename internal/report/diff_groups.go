// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// reach is a set of runs with what is edited in all of them.
type reach struct {
	runs    []DiffRun
	changes []change
}

// change is the edits of one source.
type change struct {
	source, place string
	edits         []DiffEdit
}

// reaches groups the edits of runs, so that an edit of one runtime reads as one
// change with the names of the runs that it reaches. Most reaching first.
func reaches(runs []DiffRun) []reach {
	var sets []reach
	for _, single := range singleEdits(runs) {
		i := slices.IndexFunc(sets, func(r reach) bool { return slices.EqualFunc(r.runs, single.runs, sameRun) })
		if i < 0 {
			sets = append(sets, single)
			continue
		}
		sets[i].add(single.changes[0])
	}
	slices.SortStableFunc(sets, func(a, b reach) int { return cmp.Compare(len(b.runs), len(a.runs)) })
	return sets
}

// add puts an edit to those of the same source.
func (r *reach) add(c change) {
	i := slices.IndexFunc(r.changes, func(there change) bool { return there.source == c.source })
	if i < 0 {
		r.changes = append(r.changes, c)
		return
	}
	r.changes[i].edits = append(r.changes[i].edits, c.edits...)
	r.changes[i].place = cmp.Or(r.changes[i].place, c.place)
}

// singleEdits are the edits one by one, each with the runs in which it is the
// same but for the run's own name.
func singleEdits(runs []DiffRun) []reach {
	var singles []reach
	at := map[string]int{}
	for _, run := range runs {
		for _, edit := range run.Edits {
			key := strings.Join([]string{edit.Source, edit.Object.Kind, edit.Path, anonymous(edit.Was, run.jobSet), anonymous(edit.Is, run.jobSet)}, "\x00")
			i, ok := at[key]
			if !ok {
				i = len(singles)
				at[key] = i
				singles = append(singles, reach{changes: []change{{edit.Source, edit.Place, []DiffEdit{edit}}}})
			}
			singles[i].runs = append(singles[i].runs, run)
			if only := &singles[i].changes[0]; only.place != edit.Place {
				only.place = "" // each run has its own
			}
		}
	}
	return singles
}

func sameRun(a, b DiffRun) bool { return a.Namespace == b.Namespace && a.Name == b.Name }

// anonymous is a value without the run's own name, by which the values of
// several runs would differ.
func anonymous(value []byte, jobSet string) string {
	if jobSet == "" {
		return string(value)
	}
	return regexp.MustCompile(`\b`+regexp.QuoteMeta(jobSet)+`\b`).ReplaceAllString(string(value), "<name>")
}
