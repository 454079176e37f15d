// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/test/conformance/compare"
	"github.com/trainyard/trainyard/test/conformance/difference"
	"github.com/trainyard/trainyard/test/conformance/ours"
	"github.com/trainyard/trainyard/test/conformance/upstream"
)

// compareObjects holds what was rendered against what the Trainer makes, the
// rules applied.
func (r *Report) compareObjects(ctx context.Context, trainer *upstream.Trainer, given difference.Given, written []map[string]any, outcome ours.Outcome) error {
	made, err := difference.Expect(ctx, trainer, given, written, r.Fired)
	if err != nil {
		return err
	}
	if made == nil {
		r.unexplained("only the renderer renders")
		return nil
	}
	want := byKind(made.Beside)
	want["JobSet"] = object{}
	if err := upstream.Convert(made.JobSet, new(want["JobSet"])); err != nil {
		return err
	}
	got := byKind(outcome.Objects)
	for _, kind := range sortedKeys(want, got) {
		wanted, rendered := compare.Tidy(want[kind]), compare.Tidy(unmarked(got[kind]))
		leaveNamespaceToApplier(wanted, rendered)
		delete(wanted, "status") // an empty one is written by Go alone
		delete(rendered, "status")
		for _, d := range compare.Objects(wanted, rendered) {
			r.unexplained("%s %s", kind, d)
		}
		if kind == "JobSet" {
			r.compareOrder(wanted, rendered, outcome.Findings)
		}
	}
	return nil
}

// compareOrder looks at the order of variables, which the comparison of the
// objects does not.
func (r *Report) compareOrder(wanted, rendered object, findings []finding.Finding) {
	warned := slices.ContainsFunc(findings, func(f finding.Finding) bool { return f.Rule == finding.EnvOrder })
	theirs, differs := compare.Unresolved(wanted), compare.OrderDiffers(wanted, rendered)
	for _, reference := range compare.Unresolved(rendered) {
		if !slices.Contains(theirs, reference) && !warned {
			r.unexplained("JobSet %s does not find its definition", reference)
		}
	}
	if differs {
		for _, rule := range difference.Rules {
			if rule.Ordering {
				r.Fired[rule.Name]++
			}
		}
	}
}

type object = map[string]any

func byKind(objects []map[string]any) map[string]object {
	kinds := map[string]object{}
	for _, o := range objects {
		kind := fmt.Sprint(o["kind"])
		if kind == "PodGroup" {
			kind = fmt.Sprint(o["apiVersion"], " ", kind)
		}
		kinds[kind] = o
	}
	return kinds
}

func sortedKeys(maps ...map[string]object) []string {
	var keys []string
	for _, m := range maps {
		for key := range m {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// unmarked takes away what only the renderer writes.
func unmarked(o object) object {
	metadata, _ := o["metadata"].(object)
	labels, _ := metadata["labels"].(object)
	delete(labels, marks.TrainJob)
	annotations, _ := metadata["annotations"].(object)
	for key := range annotations {
		if strings.HasPrefix(key, "trainyard.dev/") && key != marks.SoftTTLSeconds {
			delete(annotations, key)
		}
	}
	return o
}

// leaveNamespaceToApplier: an object without one gets that of the request. The
// Trainer sees the TrainJob afterwards, the renderer before.
func leaveNamespaceToApplier(wanted, rendered object) {
	was, _ := wanted["metadata"].(object)
	is, _ := rendered["metadata"].(object)
	if was["namespace"] == "default" && is != nil && is["namespace"] == nil {
		delete(was, "namespace")
	}
}
