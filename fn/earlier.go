// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"fmt"
	"slices"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
)

// run is what is known of an earlier rendering of a TrainJob.
type run struct {
	objects  []*resourcelist.Item // the JobSet and its companions
	jobSet   *resourcelist.Item   // nil: it was not rendered before
	previous bool                 // they come from the last render, not from the list
	frozen   bool                 // the TrainJob did not change since: they stay
	differs  bool                 // a new rendering would not be the same
}

// earlier finds the earlier rendering of a TrainJob: the one of the same digest
// if there are several, else the one of its name.
func (p *Package) earlier(t *trainer.TrainJob) run {
	key := owner{t.Namespace, t.Name}
	r := run{objects: p.rendered[key]}
	if !slices.ContainsFunc(r.objects, isJobSet) && len(p.previous[key]) > 0 {
		r = run{objects: p.previous[key], previous: true}
	}
	digest := render.Digest(t)
	for _, item := range r.objects {
		switch {
		case !isJobSet(item):
		case item.Annotation(marks.SourceDigest) == digest:
			r.jobSet, r.frozen = item, !p.config.refreshes(t.Namespace, t.Name)
			r.objects = slices.DeleteFunc(slices.Clone(r.objects), func(o *resourcelist.Item) bool { return !belongs(o, item) })
			return r
		case r.jobSet == nil || item.Ref.Name == t.Name:
			r.jobSet = item
		}
	}
	return r
}

func isJobSet(item *resourcelist.Item) bool {
	return item.Ref.Kind == "JobSet" && item.Group() == jobset.GroupVersion.Group
}

// belongs reports whether an object is the JobSet, or its companion by name.
func belongs(item, jobSet *resourcelist.Item) bool {
	return item == jobSet || !isJobSet(item) && (item.Ref.Name == jobSet.Ref.Name || strings.HasPrefix(item.Ref.Name, jobSet.Ref.Name+"-"))
}

// same reports whether a new rendering would give what is there.
func (r run) same(objects []runtime.Object) bool {
	if len(objects) != len(r.objects) {
		return false
	}
	for _, object := range objects {
		id := identify(object)
		i := slices.IndexFunc(r.objects, func(item *resourcelist.Item) bool { return idOf(item.Ref) == id })
		if i < 0 || !sameObject(r.objects[i], object) {
			return false
		}
	}
	return true
}

// change judges an edit as if the JobSet of the last render were running. What
// is only in the list may never have been applied: there it is an info.
func (r run) change(now *jobset.JobSet) []finding.Finding {
	if r.jobSet == nil || r.jobSet.Ref.Name != now.Name {
		return nil
	}
	before, err := jobSetOf(r.jobSet)
	if err != nil {
		return []finding.Finding{finding.Warningf(finding.StaleRendering, "", "the earlier rendering can't be compared: %v", err)}
	}
	effects := map[render.Effect][]render.Edit{}
	for _, edit := range render.Change(before, now) {
		effects[edit.Effect] = append(effects[edit.Effect], edit)
	}
	var findings []finding.Finding
	if edits := effects[render.Refused]; len(edits) > 0 {
		findings = append(findings, finding.Errorf(finding.ImmutableEdit, edits[0].Path, "a JobSet that was applied can't take this edit: %s. "+
			"Give the TrainJob a new name, set nameSuffix: ContentHash, or delete the JobSet first, which ends its run", listed(edits)))
	}
	if edits := effects[render.Stops]; len(edits) > 0 {
		findings = append(findings, finding.Warningf(finding.ImmutableEdit, edits[0].Path, "this edit stops the run of a JobSet that was applied: %s", listed(edits)))
	}
	for i := range findings {
		if !r.previous {
			findings[i].Severity = finding.Info
		}
	}
	return finding.About(r.jobSet.Ref, findings)
}

// listed writes edits on one line: the field, what it was, what it is.
func listed(edits []render.Edit) string {
	const shown = 6
	var fields []string
	for _, edit := range edits[:min(shown, len(edits))] {
		fields = append(fields, fmt.Sprintf("%s (%s → %s)", edit.Path, orNothing(edit.Was), orNothing(edit.Is)))
	}
	if more := len(edits) - shown; more > 0 {
		fields = append(fields, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(fields, ", ")
}

// orNothing shortens a value for a message.
func orNothing(value string) string {
	const limit = 80
	switch {
	case value == "":
		return "absent"
	case len(value) > limit:
		return strings.ToValidUTF8(value[:limit], "") + "…"
	}
	return value
}
