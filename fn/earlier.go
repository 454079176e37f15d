// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
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
	if len(r.objects) == 0 {
		return r
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

// broken finds frozen objects that the API would refuse: since nothing renders
// them anew, what became of them since would stand for ever.
func (r run) broken() []finding.Finding {
	if !r.frozen {
		return nil
	}
	var findings []finding.Finding
	for _, item := range r.objects {
		for _, f := range faults(item) {
			if f.Severity == finding.Error {
				findings = append(findings, locate(item, finding.Errorf(finding.StaleRendering, f.Field,
					"%s; this rendering is frozen: put it back as it was, or name its TrainJob in refresh", f.Message))...)
			}
		}
	}
	return findings
}

// faults are what the API would refuse of a rendered object, and a JobSet with
// nothing to run.
func faults(item *resourcelist.Item) []finding.Finding {
	if !isJobSet(item) {
		_, findings := judge(item)
		return findings
	}
	js, findings := judged[jobset.JobSet](item)
	if js != nil && len(js.Spec.ReplicatedJobs) == 0 {
		findings = append(findings, finding.Errorf(finding.StaleRendering, "spec.replicatedJobs", "is empty"))
	}
	return findings
}

// belongs reports whether an object is the JobSet, or its companion by name.
func belongs(item, jobSet *resourcelist.Item) bool {
	return item == jobSet || !isJobSet(item) && (item.Ref.Name == jobSet.Ref.Name || strings.HasPrefix(item.Ref.Name, jobSet.Ref.Name+"-"))
}

// same reports whether a new rendering would give what is there.
func (r run) same(objects []encoded) bool {
	if len(objects) != len(r.objects) {
		return false
	}
	for _, e := range objects {
		if i := r.index(e.ref); i < 0 || !e.sameAs(r.objects[i]) {
			return false
		}
	}
	return true
}

// index finds the object of an identity; -1: there is none.
func (r run) index(ref finding.Ref) int {
	id := idOf(ref)
	return slices.IndexFunc(r.objects, func(item *resourcelist.Item) bool { return idOf(item.Ref) == id })
}

// change judges an edit as if the objects of the last render were applied and
// their run were running. What is only in the list may never have been applied:
// there it is an info.
func (r run) change(now []runtime.Object, leaves func() []render.Leaf) []finding.Finding {
	var findings []finding.Finding
	for _, object := range now {
		i := r.index(finding.RefTo(object))
		if i < 0 {
			continue
		}
		before, err := Decode(r.objects[i])
		if err != nil {
			findings = append(findings, finding.Warningf(finding.StaleRendering, "", "the earlier rendering can't be compared: %v", err))
			continue
		}
		if edits := render.Change(before, object); slices.ContainsFunc(edits, func(e render.Edit) bool { return e.Effect != render.InPlace }) {
			findings = append(findings, render.Immutable(finding.RefTo(object), edits, leaves())...)
		}
	}
	for i := range findings {
		if !r.previous {
			findings[i].Severity = finding.Info
		}
	}
	return findings
}
