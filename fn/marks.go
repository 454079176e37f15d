// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"maps"
	"slices"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

// skips reports whether the TrainJob asks for no rendering.
func (o *outcome) skips(item *resourcelist.Item) bool {
	if item.Annotation(marks.Render) == marks.RenderDisabled {
		o.skipped, o.untouched = true, true
		o.findings = append(o.findings, finding.Infof(finding.NotRendered, annotationField(marks.Render),
			"not rendered: it says that it is for the Trainer in the cluster"))
	} else if when := item.Annotation(marks.Completed); when != "" {
		o.skipped = true
		o.findings = append(o.findings, finding.Infof(finding.NotRendered, annotationField(marks.Completed),
			"not rendered: it says that its run ended (%s)", when))
	}
	return o.skipped
}

// misread finds marks on a TrainJob that ask for nothing: whoever wrote one
// believes that the TrainJob is left to the Trainer, or over, and two runs would
// train.
func misread(t *trainer.TrainJob) []finding.Finding {
	var found []finding.Finding
	for _, key := range slices.Sorted(maps.Keys(t.Annotations)) {
		if !strings.HasPrefix(key, marks.Prefix) {
			continue
		}
		switch field := annotationField(key); key {
		case marks.Render:
			found = append(found, finding.Errorf(finding.UnknownMark, field,
				"is %q, but only %q is known: it leaves the TrainJob to the Trainer in the cluster; write that, or remove the annotation", t.Annotations[key], marks.RenderDisabled))
		case marks.Completed:
			found = append(found, finding.Errorf(finding.UnknownMark, field,
				"is empty; write when the run ended, or remove the annotation"))
		default:
			found = append(found, finding.Errorf(finding.UnknownMark, field,
				"is no mark of a TrainJob; there are %s and %s", marks.Render, marks.Completed))
		}
	}
	return found
}

func annotationField(key string) string { return "metadata.annotations[" + key + "]" }
