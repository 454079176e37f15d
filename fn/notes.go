// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"fmt"
	"strings"

	"github.com/trainyard/trainyard/render/finding"
)

// frozenRuns says in one line which runs would be rendered differently today.
func frozenRuns(outcomes []outcome) []finding.Finding {
	var names []string
	for _, o := range outcomes {
		if o.run.differs {
			names = append(names, titled(o.source.Ref))
		}
	}
	if len(names) == 0 {
		return nil
	}
	const shown = 5
	list := strings.Join(names[:min(shown, len(names))], ", ")
	if more := len(names) - shown; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return []finding.Finding{finding.Infof(finding.FrozenRun, "",
		"a new rendering of %s would differ: %s. What was rendered stays, since the TrainJob did not change; refresh renders it anew", counted(len(names), "run"), list)}
}

func titled(ref finding.Ref) string {
	if ref.Namespace == "" {
		return ref.Name
	}
	return ref.Namespace + "/" + ref.Name
}

// summary says in one line what came of the package.
func (p *Package) summary(outcomes []outcome) string {
	var jobSets, skipped int
	for _, o := range outcomes {
		for _, item := range o.result {
			if isJobSet(item) {
				jobSets++
			}
		}
		if o.skipped {
			skipped++
		}
	}
	jobs := counted(len(outcomes), "TrainJob")
	line := fmt.Sprintf("%s rendered to %s", jobs, counted(jobSets, "JobSet"))
	switch {
	case p.config.Mode != ModeRender:
		line = fmt.Sprintf("%s and %s checked", jobs, counted(p.renderedJobSets(), "JobSet"))
	case len(outcomes) == 0:
		line = fmt.Sprintf("no TrainJob among %s", counted(len(p.items), "object"))
	case finding.Blocking(p.findings):
		line = "nothing rendered of " + jobs
	}
	if skipped > 0 {
		line += fmt.Sprintf(", %d left out", skipped)
	}
	return line + counts(p.findings)
}

// renderedJobSets counts those that were in the list already.
func (p *Package) renderedJobSets() int {
	n := 0
	for _, objects := range p.rendered {
		for _, item := range objects {
			if isJobSet(item) {
				n++
			}
		}
	}
	return n
}

func counts(findings []finding.Finding) string {
	var line strings.Builder
	for _, severity := range []finding.Severity{finding.Error, finding.Warning} {
		n := 0
		for _, f := range findings {
			if f.Severity == severity {
				n++
			}
		}
		if n > 0 {
			line.WriteString(", " + counted(n, string(severity)))
		}
	}
	return line.String()
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
