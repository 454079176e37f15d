// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"cmp"
	"slices"

	"github.com/trainyard/trainyard/internal/jsontree"
	"github.com/trainyard/trainyard/render/finding"
)

// Validate says what is wrong with the shape of an object, which is JSON. It
// knows TrainJobs, runtimes, JobSets, PodGroups and RenderTrainJobs; of another
// kind it says nothing, unless it is one that TrainJobs have replaced.
//
// The findings come in the order of their fields.
func Validate(object []byte) (found []finding.Finding) {
	err := reading(object, func(tree *jsontree.Value) {
		clean(tree)
		found = validate(tree, nil)
	})
	if err != nil {
		return unreadable(err)
	}
	return found
}

// Written tells how the scalar of a field stands in the text that an object was
// read from: of a number it may be another form than JSON's. It is empty where
// that is not known; nil is for an object that is JSON from the start.
type Written func(field string) string

// Admit is Validate for those who go on with the object: it comes back without
// what an export brings along, as it was judged. What is no object comes back as
// nil.
func Admit(object []byte, written Written) (clean []byte, found []finding.Finding) {
	err := reading(object, func(tree *jsontree.Value) {
		clean = cleaned(object, tree)
		found = validate(tree, written)
	})
	if err != nil {
		return nil, unreadable(err)
	}
	return clean, found
}

func unreadable(err error) []finding.Finding {
	return []finding.Finding{finding.Errorf(finding.NotAnObject, "", "is not a JSON object: %v", err)}
}

// validate judges a clean object.
func validate(object *jsontree.Value, written Written) []finding.Finding {
	kind, metadata := kindOf(object), object.At("metadata")
	about := finding.Ref{
		APIVersion: kind.apiVersion, Kind: kind.kind,
		Namespace: metadata.At("namespace").String(), Name: metadata.At("name").String(),
	}
	return finding.About(about, append(judge(kind, object, written), zeroReplicas(object)...))
}

func kindOf(object *jsontree.Value) typeMeta {
	return typeMeta{object.At("apiVersion").String(), object.At("kind").String()}
}

// judge holds a clean object against the schema of its kind.
func judge(kind typeMeta, object *jsontree.Value, written Written) []finding.Finding {
	document := documentOf(kind)
	if document == nil {
		return oldKind(kind)
	}
	report := reporter{document: document, written: written}
	report.outOfRange(object)
	if len(report.found) == 0 {
		report.check(&definition{Ref: refPrefix + root}, object)
	}
	if len(report.found) == 0 {
		return nil
	}
	return ordered(oldForms(kind, object.Decoded(), report.found))
}

// ordered sorts by field, and drops what is said twice.
func ordered(unordered []located) []finding.Finding {
	slices.SortStableFunc(unordered, func(a, b located) int {
		return cmp.Or(a.path.compare(b.path), cmp.Compare(a.Message, b.Message))
	})
	var found []finding.Finding
	for _, l := range unordered {
		found = append(found, l.Finding)
	}
	return slices.Compact(found)
}
