// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
)

// Rendering is what became of one TrainJob, for those who report on it.
type Rendering struct {
	Source   *resourcelist.Item
	Job      *trainer.TrainJob    // nil: it could not be read, or asks for no rendering
	Runtime  render.Runtime       // zero: none was found
	Items    []*resourcelist.Item // the JobSet and its companions as they are put out; frozen ones are as they were
	Objects  []runtime.Object     // the same as they are rendered now; none with an error
	Sources  []render.Leaf        // of Objects; only with Options.Explain
	Differs  bool                 // Items are frozen, and Objects are not the same
	Findings []finding.Finding

	runtime *resourcelist.Item // nil: it is built in
}

// Position says where a source stands that set a leaf of the given path. It is
// zero for a rule and for what is in no file.
func (r Rendering) Position(source render.Source, path string) finding.Position {
	item := r.Source
	switch source.Object {
	case finding.Ref{}:
		return finding.Position{}
	case r.Source.Ref:
	default:
		if item = r.runtime; item == nil {
			return finding.Position{}
		}
	}
	return position(item, finding.Finding{Field: source.At(path)})
}

// BuiltIn reports whether the runtime is in no file.
func (r Rendering) BuiltIn() bool { return r.Runtime.Name != "" && r.runtime == nil }

func (o outcome) rendering() Rendering {
	r := Rendering{
		Source: o.source, Job: o.job, Runtime: o.resolved, Items: o.result,
		Objects: o.objects, Sources: o.leaves, Differs: o.run.differs, Findings: o.findings,
	}
	if o.runtime != nil {
		r.runtime = o.runtime.item
	}
	return r
}
