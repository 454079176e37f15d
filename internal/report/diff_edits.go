// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/json"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
)

// renamed is the field of an edit that gives a run a new name, and so ends the
// old one.
const renamed = "metadata.name"

// edits are those of the JobSet and of what stands beside it.
func edits(was, is Run) []DiffEdit {
	var found []DiffEdit
	if was.JobSet.Name != is.JobSet.Name {
		found = append(found, DiffEdit{
			Object: finding.RefTo(is.JobSet), Path: renamed, Effect: render.Stops,
			Was: quoted(was.JobSet.Name), Is: quoted(is.JobSet.Name), Source: "nameSuffix: ContentHash",
		})
	}
	found = append(found, objectEdits(was, is, was.JobSet, is.JobSet)...)
	for _, before := range was.Companions {
		if after := counterpart(is.Companions, before); after != nil {
			found = append(found, objectEdits(was, is, before, after)...)
		} else if was.JobSet.Name == is.JobSet.Name {
			found = append(found, DiffEdit{Object: finding.RefTo(before), Was: json.RawMessage(`"there"`), Effect: render.InPlace})
		}
	}
	for _, after := range is.Companions {
		if counterpart(was.Companions, after) == nil && was.JobSet.Name == is.JobSet.Name {
			found = append(found, DiffEdit{Object: finding.RefTo(after), Is: json.RawMessage(`"there"`), Effect: render.InPlace})
		}
	}
	return found
}

// objectEdits are those of one object, without those of the marks that change
// whenever anything does.
func objectEdits(wasRun, isRun Run, was, is runtime.Object) []DiffEdit {
	var found []DiffEdit
	for _, e := range render.Change(was, is) {
		if slices.Contains([]string{"metadata.annotations[" + marks.SourceDigest + "]", "metadata.annotations[" + marks.TrainJobSpec + "]"}, e.Path) {
			continue
		}
		if anonymous([]byte(e.Was), wasRun.JobSet.Name) == anonymous([]byte(e.Is), isRun.JobSet.Name) {
			continue // it follows from the run's new name
		}
		edit := DiffEdit{Object: finding.RefTo(is), Path: e.Path, Was: raw(e.Was), Is: raw(e.Is), Effect: e.Effect}
		edit.Source, edit.Place = isRun.madeBy(edit.Object, e.Path)
		if edit.Source == "" { // it is gone: say who had set it
			edit.Source, edit.Place = wasRun.madeBy(finding.RefTo(was), e.Path)
		}
		found = append(found, edit)
	}
	return found
}

// madeBy says who set a field, and where that stands; empty if it is not known.
func (r Run) madeBy(object finding.Ref, path string) (source, where string) {
	leaf, ok := render.LeafAt(r.Sources, object, path)
	if !ok {
		return "", ""
	}
	if r.Place == nil {
		return leaf.Source.String(), ""
	}
	return leaf.Source.String(), place(r.Place(leaf.Source, leaf.Path))
}

// counterpart is the object of the same kind and name.
func counterpart(objects []runtime.Object, of runtime.Object) runtime.Object {
	want := finding.RefTo(of)
	for _, object := range objects {
		if finding.RefTo(object) == want {
			return object
		}
	}
	return nil
}

func raw(value string) json.RawMessage {
	if value == "" {
		return nil
	}
	return json.RawMessage(value)
}

// quoted is a name as JSON; names hold nothing that would be escaped.
func quoted(name string) json.RawMessage { return json.RawMessage(strconv.Quote(name)) }
