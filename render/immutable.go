// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trainyard/trainyard/render/finding"
)

// Immutable are the findings on an object's edits that a run which exists can't
// take: an error for each field of a person's that makes some the API would
// refuse, a warning for each that makes the run stop. The object and field are
// what a person wrote, as far as the leaves of the new rendering tell, else the
// rendered object's own.
func Immutable(object finding.Ref, edits []Edit, leaves []Leaf) []finding.Finding {
	var found []finding.Finding
	for _, m := range makers(object, edits, leaves, Refused) {
		found = append(found, m.finding(finding.Error, "the %s %s was rendered before; where it is applied, it can't take this edit: %s. "+
			"Give the TrainJob a new name, set nameSuffix: ContentHash, or delete the JobSet first, which ends its run", object))
	}
	for _, m := range makers(object, edits, leaves, Stops) {
		found = append(found, m.finding(finding.Warning, "the %s %s was rendered before; where it runs, this edit stops it: %s", object))
	}
	return finding.About(object, found)
}

// maker is who makes edits; zero where it is not known.
type maker struct {
	source Source
	edits  []Edit
}

// makers sorts the edits of one effect by who makes them. What a policy derives
// follows from what a person wrote, and stands alone only where nothing else
// does.
func makers(object finding.Ref, edits []Edit, leaves []Leaf, effect Effect) []maker {
	var persons []maker
	var rest maker
	for _, e := range edits {
		leaf, _ := LeafAt(leaves, object, e.Path)
		i := slices.IndexFunc(persons, func(m maker) bool { return m.source == leaf.Source })
		switch {
		case e.Effect != effect:
		case leaf.Source.Object == finding.Ref{}:
			rest.edits = append(rest.edits, e)
		case i < 0:
			persons = append(persons, maker{leaf.Source, []Edit{e}})
		default:
			persons[i].edits = append(persons[i].edits, e)
		}
	}
	if len(persons) == 0 && len(rest.edits) > 0 {
		return []maker{rest}
	}
	return persons
}

func (m maker) finding(severity finding.Severity, format string, object finding.Ref) finding.Finding {
	const shown = 4
	var named []string
	for _, e := range m.edits[:min(shown, len(m.edits))] {
		named = append(named, fmt.Sprintf("%s (%s → %s)", e.Path, orAbsent(e.Was), orAbsent(e.Is)))
	}
	if more := len(m.edits) - shown; more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	f := finding.Errorf(finding.ImmutableEdit, m.source.At(m.edits[0].Path), format, object.Kind, object.Name, strings.Join(named, ", "))
	f.Severity, f.Object = severity, m.source.Object
	if f.Field == "" {
		f.Field = m.edits[0].Path
	}
	return f
}

// orAbsent keeps a value that stands within a sentence short.
func orAbsent(value string) string {
	const most = 80
	switch runes := []rune(value); {
	case value == "":
		return "absent"
	case len(runes) > most:
		return string(runes[:most-1]) + "…"
	default:
		return value
	}
}

// LeafAt is the leaf of an object at the path, or the first one below it.
func LeafAt(leaves []Leaf, object finding.Ref, path string) (Leaf, bool) {
	i := slices.IndexFunc(leaves, func(l Leaf) bool { return l.Object == object && within(l.Path, path) })
	if i < 0 {
		return Leaf{}, false
	}
	return leaves[i], true
}
