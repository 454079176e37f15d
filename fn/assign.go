// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

// countIndexes finds the next free index of each file of rendered objects.
func (l *placement) countIndexes() {
	for _, item := range l.p.items {
		if !item.Mentions(renderedExt) {
			continue
		}
		file, index := annotatedPath(item)
		file = hostFile(item, file)
		l.indexes[file] = max(l.indexes[file], index+1)
	}
}

// assign decides the host's annotations of each object of a job, and refuses
// to take the place of what was not rendered for it.
func (l *placement) assign(o *outcome) []map[string]string {
	refs := o.refs()
	hosts := make([]map[string]string, len(refs))
	file, _ := annotatedPath(o.source)
	for i, ref := range refs {
		present := l.present[idOf(ref)]
		switch {
		case present != nil && present.Label(marks.TrainJob) != o.source.Ref.Name:
			o.findings = append(o.findings, taken(o.source, present)...)
		case o.run.frozen: // it keeps its own
		case present != nil:
			hosts[i] = hostAnnotations(present)
		case file != "":
			rendered := hostFile(o.source, renderedPath(file))
			hosts[i] = beside(o.source, l.indexes[rendered])
			l.indexes[rendered]++
		}
	}
	return hosts
}

func taken(source, present *resourcelist.Item) []finding.Finding {
	return locate(source, finding.Errorf(finding.NameTaken, "metadata.name",
		"its %s %s would take the place of one that was not rendered for it, %s; rename the TrainJob or remove that object",
		present.Ref.Kind, present.Ref.Name, whereIs(present)))
}
