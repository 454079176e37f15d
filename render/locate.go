// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/finding"
)

// locate takes findings on the JobSet back to the object and field that a
// person wrote. The sources are taken only now that there is something to
// explain.
func locate(found []finding.Finding, js *jobset.JobSet, t *trainer.TrainJob, rt Runtime, opts Options) []finding.Finding {
	if len(found) == 0 {
		return nil
	}
	trace := newTrace(true)
	job := trace.take(settle(js.Name, t, rt, opts), templateSteps(t, rt))
	job.Template = job.Spec
	trace.take(trace.take(job, scaleSteps(t, rt)), layerSteps(t, rt, opts))
	document, written := tree(js), byPersons(trace.leaves())
	located := make([]finding.Finding, len(found))
	for i, f := range found {
		path := keyedPath(document, f.Field)
		source, ok := setter(written, path)
		if !ok {
			source = trainJobField(t, "spec")
		}
		if limit, ok := limitOf(written, path); ok && source.Object.Kind != trainer.TrainJobKind {
			path, source = limit.Path, limit.Source
		}
		located[i] = blame(f, path, source)
	}
	return located
}

// byPersons are the leaves of the JobSet that are set by what a person wrote.
func byPersons(leaves []Leaf) []Leaf {
	return slices.DeleteFunc(leaves, func(l Leaf) bool { return !l.OfJobSet() || l.Source.Object == (finding.Ref{}) })
}

// blame names the source of the field as the finding's object, and keeps the
// JobSet's field in the message.
func blame(f finding.Finding, path string, source Source) finding.Finding {
	at := f.Field
	f.Object, f.Field = source.Object, source.At(path)
	if f.Field != at {
		f.Message = fmt.Sprintf("%s (%s of the JobSet)", f.Message, at)
	}
	return f
}

// setter is who set the leaf at the path; of an object it is who named it, else
// the TrainJob or who set a leaf below it; of a field that is not there it is
// who set what it would be in.
func setter(leaves []Leaf, path string) (source Source, ok bool) {
	for ; path != ""; path = parent(path) {
		for _, leaf := range leaves {
			if !within(leaf.Path, path) {
				continue
			}
			if leaf.Path == path || leaf.Path == path+".name" {
				return leaf.Source, true
			}
			if !ok || leaf.Source.Object.Kind == trainer.TrainJobKind {
				source, ok = leaf.Source, true
			}
		}
		if ok {
			return source, true
		}
	}
	return Source{}, false
}

// limitOf is the TrainJob's limit that the request at the path does not go with:
// the TrainJob was written last.
func limitOf(leaves []Leaf, path string) (Leaf, bool) {
	limit := strings.Replace(path, ".resources.requests", ".resources.limits", 1)
	i := slices.IndexFunc(leaves, func(l Leaf) bool {
		return limit != path && l.Path == limit && l.Source.Object.Kind == trainer.TrainJobKind
	})
	if i < 0 {
		return Leaf{}, false
	}
	return leaves[i], true
}

// parent drops the last step of a path.
func parent(path string) string {
	return path[:max(strings.LastIndexByte(path, '.'), strings.LastIndexByte(path, '['), 0)]
}

// indexed finds the steps of a path that are indexes or keys in brackets.
var indexed = regexp.MustCompile(`^([^.\[]*)((?:\[[^\]]*\])*)\.?`)

// keyedPath turns a path with indexes into one that names list items as leaves
// do.
func keyedPath(node any, path string) string {
	keyed := ""
	for path != "" {
		match := indexed.FindStringSubmatch(path)
		if match[0] == "" {
			return keyed + path
		}
		path = path[len(match[0]):]
		if match[1] != "" {
			keyed = join(keyed, match[1])
			node = child(node, match[1])
		}
		for index := range strings.SplitSeq(strings.Trim(match[2], "[]"), "][") {
			if index != "" {
				var step string
				node, step = item(node, index)
				keyed += step
			}
		}
	}
	return keyed
}

func child(node any, key string) any {
	object, _ := node.(map[string]any)
	return object[key]
}

// item is the element of a list, or the value of a map under a key in brackets,
// and the step that leads to it.
func item(node any, index string) (found any, step string) {
	list, ok := node.([]any)
	i, err := strconv.Atoi(index)
	if !ok || err != nil || i >= len(list) {
		return child(node, index), join("x", index)[1:] // as a leaf's path has the key
	}
	return list[i], elements(list)[i]
}
