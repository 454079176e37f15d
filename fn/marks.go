// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/internal/manifest"
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

// ended warns of a TrainJob whose status says that its run is over: the Trainer
// would leave it alone, and what is rendered trains again.
func ended(item *resourcelist.Item) []finding.Finding {
	root, err := item.Root()
	if err != nil {
		return nil // judge said so
	}
	conditions := manifest.Field(manifest.Field(root, "status"), "conditions")
	if conditions == nil {
		return nil
	}
	for i, condition := range conditions.Content {
		kind := manifest.Text(condition, "type")
		if over := kind == trainer.TrainJobComplete || kind == trainer.TrainJobFailed; over && manifest.Text(condition, "status") == "True" {
			return []finding.Finding{finding.Warningf(finding.NoEffect, fmt.Sprintf("status.conditions[%d]", i),
				"says that the run has ended (%s), but it is rendered, and trains again where its JobSet is gone; write the annotation %s, or take the status out", kind, marks.Completed)}
		}
	}
	return nil
}

func annotationField(key string) string { return "metadata.annotations[" + key + "]" }
