// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"fmt"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

// locate says which object the findings are about and where it stands: the file
// and its index, and the line of the field where the item comes from a file.
func locate(item *resourcelist.Item, findings ...finding.Finding) []finding.Finding {
	located := finding.About(item.Ref, findings)
	for i, f := range located {
		if f.Object != item.Ref {
			f.Field = "" // of an object that is in no file
		}
		located[i].Position = position(item, f)
	}
	return located
}

func position(item *resourcelist.Item, f finding.Finding) finding.Position {
	p := item.Position
	if p.File == "" {
		p.File, p.Index = annotatedPath(item)
	}
	switch root, err := item.Root(); {
	case p.Line == 0: // the host does not tell the line of the object in its file
	case f.Position.Line > 0:
		p.Line += f.Position.Line - 1
	case err == nil && root != nil && f.Field != "":
		p.Line += manifest.Line(root, f.Field) - 1
	}
	return p
}

// whereIs says in words where an item stands.
func whereIs(item *resourcelist.Item) string {
	switch p := position(item, finding.Finding{}); {
	case p.File == "":
		return "in the same list"
	case p.Line > 0:
		return fmt.Sprintf("in %s, line %d", p.File, p.Line)
	default:
		return fmt.Sprintf("in %s, number %d", p.File, p.Index+1)
	}
}
