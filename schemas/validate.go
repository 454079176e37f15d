// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"cmp"
	"slices"

	"github.com/trainyard/trainyard/render/finding"
)

// Validate says what is wrong with the shape of an object, which is JSON. It
// knows TrainJobs, runtimes, JobSets, PodGroups and RenderTrainJobs; of another
// kind it says nothing, unless it is one that TrainJobs have replaced.
//
// The findings come in the order of their fields.
func Validate(object []byte) []finding.Finding {
	decoded, err := decode(object)
	if err != nil {
		return unreadable(err)
	}
	clean(decoded)
	return validate(decoded, asJSON)
}

// Written tells how the scalar of a field stands in the text that an object was
// read from: of a number it may be another form than JSON's. It is empty where
// that is not known.
type Written func(field string) string

// asJSON is for an object that is JSON from the start.
func asJSON(string) string { return "" }

// Admit is Validate and Clean at once. What is no object comes back as nil.
func Admit(object []byte, written Written) (clean []byte, found []finding.Finding) {
	decoded, err := decode(object)
	if err == nil {
		clean, err = cleaned(object, decoded)
	}
	if err != nil {
		return nil, unreadable(err)
	}
	return clean, validate(decoded, written)
}

func unreadable(err error) []finding.Finding {
	return []finding.Finding{finding.Errorf(finding.NotAnObject, "", "is not a JSON object: %v", err)}
}

// validate judges a clean object.
func validate(decoded map[string]any, written Written) []finding.Finding {
	kind := typeMeta{text(decoded, "apiVersion"), text(decoded, "kind")}
	about := finding.Ref{
		APIVersion: kind.apiVersion, Kind: kind.kind,
		Namespace: text(decoded, "metadata", "namespace"), Name: text(decoded, "metadata", "name"),
	}
	return finding.About(about, append(judge(kind, decoded, written), zeroReplicas(decoded)...))
}

// judge holds a clean object against the schema of its kind.
func judge(kind typeMeta, object map[string]any, written Written) []finding.Finding {
	document := documentOf(kind)
	if document == nil {
		return oldKind(kind)
	}
	report := reporter{document: document, object: object, written: written}
	report.outOfRange()
	if len(report.found) == 0 {
		report.invalid()
	}
	return ordered(oldForms(kind, object, report.found))
}

// ordered sorts by field, since the validator goes through maps, and drops what
// is said twice.
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

// text returns the string at a path of fields, or "".
func text(value any, path ...string) string {
	s, _ := within(value, path...).(string)
	return s
}
