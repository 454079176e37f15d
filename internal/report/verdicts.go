// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"io"

	"github.com/trainyard/trainyard/internal/cluster"
	"github.com/trainyard/trainyard/render/finding"
)

// Verdict is what is to be done with a TrainJob of a file.
type Verdict struct {
	cluster.Verdict
	Object  finding.Ref
	File    string
	Written bool // the annotation is in the file
	DryRun  bool // it was not to be written
}

// Verdicts writes a line for each TrainJob.
func Verdicts(w io.Writer, verdicts []Verdict) error {
	t := table{header: []string{"DO", "NAMESPACE", "NAME", "WHY", "ANNOTATION", "FILE"}}
	for _, v := range verdicts {
		annotation := ""
		if v.Annotation != "" {
			annotation = v.Annotation + ": " + v.Value
			switch {
			case v.DryRun:
				annotation += " (not written)"
			case !v.Written:
				annotation += " (write it by hand: it stands in a list)"
			}
		}
		t.rows = append(t.rows, []string{string(v.Decision), v.Object.Namespace, v.Object.Name, v.Why, annotation, v.File})
	}
	return writeTables(w, []table{t}, false)
}
