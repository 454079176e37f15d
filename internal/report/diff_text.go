// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// most is how many runs are named one by one.
const most = 60

// JSON writes the diff for other programs.
func (d Diff) JSON(w io.Writer) error { return indented(w, d) }

// Tables writes the diff for people, in lines or as markdown.
func (d Diff) Tables(w io.Writer, markdown bool) error {
	p := &diffPrinter{markdown: markdown}
	p.head(d)
	for _, class := range []Class{StopsRun, Suspends, Removed, Ended, InPlace, New, Unchanged} {
		runs := slices.DeleteFunc(slices.Clone(d.Runs), func(r DiffRun) bool { return r.Class != class })
		if len(runs) > 0 {
			p.class(class, runs)
		}
	}
	if _, err := w.Write(p.out.Bytes()); err != nil {
		return fmt.Errorf("write the diff: %w", err)
	}
	return nil
}

// diffPrinter writes a diff for people.
type diffPrinter struct {
	out      bytes.Buffer
	markdown bool
}

func (p *diffPrinter) head(d Diff) {
	line := fmt.Sprintf("%s, GPUs %s", counted(len(d.Runs), "run"), d.GPUs)
	if p.markdown {
		line = "### " + line
	}
	p.out.WriteString(line + "\n")
}

// String is the number, or both where it changes.
func (s Span) String() string {
	if s.Before == s.After {
		return fmt.Sprint(s.After)
	}
	return fmt.Sprintf("%d → %d", s.Before, s.After)
}

// verbs say what becomes of one run and of several.
var verbs = map[Class][2]string{
	StopsRun:  {"stops and restarts", "stop and restart"},
	Suspends:  {"is suspended, and stops", "are suspended, and stop"},
	Removed:   {"is removed, and stops if it still runs", "are removed, and stop if they still run"},
	Ended:     {"has ended and is removed", "have ended and are removed"},
	InPlace:   {"changes in place and goes on", "change in place and go on"},
	New:       {"is new", "are new"},
	Unchanged: {"is unchanged", "are unchanged"},
}

// class writes what becomes of the runs of one class.
func (p *diffPrinter) class(class Class, runs []DiffRun) {
	var gpus Span
	for _, run := range runs {
		gpus.Before += run.GPUs.Before
		gpus.After += run.GPUs.After
	}
	verb := verbs[class]
	words := verb[0]
	if len(runs) > 1 {
		words = verb[1]
	}
	title := fmt.Sprintf("%s %s, GPUs %s", counted(len(runs), "run"), words, gpus)
	if p.markdown {
		title = "**" + title + "**"
	}
	p.out.WriteString("\n" + title + "\n")
	switch class {
	case Unchanged:
	case StopsRun, Suspends, InPlace:
		for i, r := range reaches(runs) {
			if i > 0 {
				p.out.WriteByte('\n')
			}
			p.reach(r, len(runs))
		}
		p.hint(class, runs)
	default:
		p.names(runs)
	}
}

// reach writes what is edited in a set of runs, and their names.
func (p *diffPrinter) reach(r reach, of int) {
	for _, c := range r.changes {
		p.source(c, r.runs)
		for _, e := range c.edits {
			p.edit(e)
		}
	}
	if p.markdown {
		p.out.WriteByte('\n')
	}
	in := "in "
	if len(r.runs) == of && of > 1 {
		in = "in all of them: "
	}
	p.line(in + strings.Join(namesOf(r.runs), ", "))
}

func (p *diffPrinter) source(c change, runs []DiffRun) {
	source := c.source
	switch {
	case source != "" && c.place != "":
		source += " (" + c.place + ")"
	case source == "" && sameRuntime(runs):
		source = "with " + runs[0].runtime
	case source == "":
		source = "with several runtimes"
	}
	if p.markdown {
		p.out.WriteString("\n" + source + "\n")
	} else {
		p.out.WriteString("  " + source + "\n")
	}
}

func sameRuntime(runs []DiffRun) bool {
	return runs[0].runtime != "" && !slices.ContainsFunc(runs, func(r DiffRun) bool { return r.runtime != runs[0].runtime })
}

func (p *diffPrinter) edit(e DiffEdit) {
	where := briefPath(e.Path)
	if e.Object.Kind != "JobSet" {
		where = strings.TrimSuffix(e.Object.Kind+" "+where, " ")
	}
	var values string
	switch {
	case e.Was == nil:
		values = "added " + brief(string(e.Is))
	case e.Is == nil:
		values = "removed " + brief(string(e.Was))
	default:
		values = briefPair(string(e.Was), string(e.Is))
	}
	if e.Path == "" { // the object itself
		values, _, _ = strings.Cut(values, " ")
	}
	if p.markdown {
		fmt.Fprintf(&p.out, "- `%s` %s\n", where, code(values))
		return
	}
	fmt.Fprintf(&p.out, "    %s  %s\n", where, values)
}

// hint tells of runs that would be left alone if the last rendering were known.
func (p *diffPrinter) hint(class Class, runs []DiffRun) {
	same := 0
	for _, run := range runs {
		same += one(run.SameJob)
	}
	switch {
	case class != StopsRun || same == 0:
	case same == len(runs):
		p.line("Their TrainJobs did not change: rendered with --previous, the runs stay as they are.")
	case same == 1:
		p.line("One of the TrainJobs did not change: rendered with --previous, its run stays as it is.")
	default:
		p.line(fmt.Sprintf("%d of the TrainJobs did not change: rendered with --previous, their runs stay as they are.", same))
	}
}

func (p *diffPrinter) names(runs []DiffRun) {
	p.line(strings.Join(namesOf(runs), ", "))
}

// line writes a paragraph, broken where a terminal would.
func (p *diffPrinter) line(text string) {
	if p.markdown {
		p.out.WriteString(text + "\n")
		return
	}
	const width = 110
	line := "   "
	for word := range strings.FieldsSeq(text) {
		if len(line)+len(word) >= width {
			p.out.WriteString(line + "\n")
			line = "   "
		}
		line += " " + word
	}
	p.out.WriteString(line + "\n")
}

func namesOf(runs []DiffRun) []string {
	var names []string
	for _, run := range runs[:min(len(runs), most)] {
		name := run.Name
		if run.Namespace != "" {
			name = run.Namespace + "/" + name
		}
		names = append(names, name)
	}
	if more := len(runs) - most; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return names
}
