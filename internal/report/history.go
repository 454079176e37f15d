// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
)

// Below keeps the leaves at or below a field, and the objects that have any.
// Three dots in it stand for anything.
func Below(objects []Explained, field string) []Explained {
	pattern := regexp.QuoteMeta(strings.ReplaceAll(field, "…", "..."))
	below := regexp.MustCompile("^" + strings.ReplaceAll(pattern, `\.\.\.`, ".*") + `(?:$|[.\[])`)
	var kept []Explained
	for _, object := range objects {
		leaves := slices.DeleteFunc(slices.Clone(object.Leaves), func(leaf render.Leaf) bool { return !below.MatchString(leaf.Path) })
		if len(leaves) > 0 {
			object.Leaves = leaves
			kept = append(kept, object)
		}
	}
	return kept
}

// History writes of each leaf all values that it had while it was rendered, and
// who gave them. The last one stands.
func History(w io.Writer, objects []Explained, colour bool) error {
	var out strings.Builder
	for _, e := range objects {
		for _, leaf := range e.Leaves {
			if out.Len() > 0 {
				out.WriteByte('\n')
			}
			fmt.Fprintf(&out, "%s %s  %s\n", leaf.Object.Kind, object(leaf.Object), leaf.Path)
			settings := settings(leaf)
			width := 0
			for _, s := range settings {
				width = max(width, utf8.RuneCountInString(s.Value))
			}
			for _, s := range settings {
				pad := strings.Repeat(" ", width-utf8.RuneCountInString(s.Value))
				fmt.Fprintf(&out, "  %s%s  %s\n", s.Value, pad, ownerOf(s.Source).paint(e.name(s.Source, leaf.Path), colour))
			}
		}
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("write the history: %w", err)
	}
	return nil
}

// settings are all that a leaf had, the one that stands last.
func settings(leaf render.Leaf) []render.Setting {
	return append(slices.Clip(leaf.Overridden), render.Setting{Value: leaf.Value, Source: leaf.Source})
}

// explainedLeaf is a leaf for other programs.
type explainedLeaf struct {
	Object     finding.Ref       `json:"object"`
	Path       string            `json:"path"`
	Value      json.RawMessage   `json:"value"`
	Source     string            `json:"source"`
	Place      string            `json:"place,omitempty"`
	Overridden []explainedBefore `json:"overridden,omitempty"`
}

type explainedBefore struct {
	Value  json.RawMessage `json:"value"`
	Source string          `json:"source"`
	Place  string          `json:"place,omitempty"`
}

// ExplainJSON writes a list of all leaves.
func ExplainJSON(w io.Writer, objects []Explained) error {
	leaves := []explainedLeaf{}
	for _, e := range objects {
		for _, leaf := range e.Leaves {
			l := explainedLeaf{
				Object: leaf.Object, Path: leaf.Path, Value: json.RawMessage(leaf.Value),
				Source: leaf.Source.String(), Place: e.where(leaf.Source, leaf.Path),
			}
			for _, s := range leaf.Overridden {
				l.Overridden = append(l.Overridden, explainedBefore{json.RawMessage(s.Value), s.Source.String(), e.where(s.Source, leaf.Path)})
			}
			leaves = append(leaves, l)
		}
	}
	return indented(w, leaves)
}
