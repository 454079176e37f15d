// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trainyard/trainyard/render/finding"
)

// maxNamed is how many edits a finding spells out.
const maxNamed = 3

// Immutable are the findings on an object's edits that the API would refuse, one
// for each who makes them: the object and field that a person wrote, as far as the
// sources of the new rendering tell. Where they don't they are on the rendered
// object.
func Immutable(object finding.Ref, edits []Edit, sources []Leaf) []finding.Finding {
	var makers []Source
	made := map[Source][]Edit{}
	for _, e := range edits {
		if e.Effect != Refused {
			continue
		}
		leaf, _ := LeafAt(sources, object, e.Path)
		maker := leaf.Source
		if maker.Object == (finding.Ref{}) {
			maker = Source{}
		}
		if made[maker] == nil {
			makers = append(makers, maker)
		}
		made[maker] = append(made[maker], e)
	}
	var found []finding.Finding
	for _, maker := range makers {
		if maker != (Source{}) || len(makers) == 1 { // what a policy derives follows from what a person wrote
			found = append(found, immutable(maker, made[maker]))
		}
	}
	return finding.About(object, found)
}

func immutable(maker Source, edits []Edit) finding.Finding {
	var named []string
	for _, e := range edits[:min(len(edits), maxNamed)] {
		named = append(named, e.String())
	}
	if more := len(edits) - maxNamed; more > 0 {
		named = append(named, fmt.Sprintf("%d more", more))
	}
	field := maker.Field
	if maker == (Source{}) {
		field = edits[0].Path
	}
	f := finding.Errorf(finding.ImmutableEdit, field,
		"a JobSet that runs can't take this edit: %s; give the run a new name, render with nameSuffix: ContentHash, or delete the JobSet first",
		strings.Join(named, "; "))
	f.Object = maker.Object
	return f
}

// LeafAt is the leaf of an object at the path, or the first one below it.
func LeafAt(leaves []Leaf, object finding.Ref, path string) (Leaf, bool) {
	i := slices.IndexFunc(leaves, func(l Leaf) bool { return l.Object == object && within(l.Path, path) })
	if i < 0 {
		return Leaf{}, false
	}
	return leaves[i], true
}

// String is the edit in short: the last steps of its path, and both values.
func (e Edit) String() string {
	switch {
	case e.Was == "":
		return fmt.Sprintf("%s added", e.Path)
	case e.Is == "":
		return fmt.Sprintf("%s removed", e.Path)
	default:
		return fmt.Sprintf("%s %s → %s", e.Path, short(e.Was), short(e.Is))
	}
}

// short keeps a value that stands within a sentence short.
func short(value string) string {
	const most = 60
	if runes := []rune(value); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return value
}
