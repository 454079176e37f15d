// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/render"
)

// Use is a TrainJob with the runtime that it was resolved to.
type Use struct {
	Job     *trainer.TrainJob
	Runtime render.Runtime
}

// RuntimeSummary says what it buys that runtimes are apart from TrainJobs.
type RuntimeSummary struct {
	Used   []RuntimeUse  `json:"used"`
	Alike  []RuntimePair `json:"differInOneField"`
	Unused []string      `json:"unused"` // runtimes of the files that no TrainJob names
}

// RuntimeUse is how one namespace uses one runtime: how many of its TrainJobs
// there are, and how many of them override what it says.
type RuntimeUse struct {
	Runtime   string `json:"runtime"` // Kind/name
	Namespace string `json:"namespace,omitempty"`
	Jobs      int    `json:"jobs"`
	Image     int    `json:"image"`
	Command   int    `json:"command"` // or args
	Resources int    `json:"resources"`
	Patched   int    `json:"patched"` // by runtimePatches
}

// RuntimePair is two runtimes that could be one with a parameter.
type RuntimePair struct {
	Runtimes [2]string `json:"runtimes"`
	Field    string    `json:"field"`
	Values   [2]string `json:"values"` // as JSON
}

// ByRuntime sums up who uses which runtime. The runtimes are those of the files;
// built-in ones show only where they are used.
func ByRuntime(uses []Use, runtimes []render.Runtime) RuntimeSummary {
	sum := RuntimeSummary{Used: []RuntimeUse{}, Alike: alike(runtimes), Unused: []string{}}
	for _, use := range uses {
		sum.row(name(use.Runtime), use.Job.Namespace).count(use.Job)
	}
	slices.SortFunc(sum.Used, func(a, b RuntimeUse) int {
		return cmp.Or(cmp.Compare(a.Runtime, b.Runtime), cmp.Compare(a.Namespace, b.Namespace))
	})
	for _, r := range runtimes {
		if !slices.ContainsFunc(sum.Used, func(u RuntimeUse) bool { return u.Runtime == name(r) }) {
			sum.Unused = append(sum.Unused, name(r))
		}
	}
	return sum
}

func name(r render.Runtime) string { return r.Kind + "/" + r.Name }

// row is the one of a runtime and a namespace, which may be new.
func (s *RuntimeSummary) row(runtime, namespace string) *RuntimeUse {
	i := slices.IndexFunc(s.Used, func(u RuntimeUse) bool { return u.Runtime == runtime && u.Namespace == namespace })
	if i < 0 {
		i = len(s.Used)
		s.Used = append(s.Used, RuntimeUse{Runtime: runtime, Namespace: namespace})
	}
	return &s.Used[i]
}

func (u *RuntimeUse) count(job *trainer.TrainJob) {
	u.Jobs++
	if t := job.Spec.Trainer; t != nil {
		u.Image += one(t.Image != nil)
		u.Command += one(t.Command != nil || t.Args != nil)
		u.Resources += one(t.ResourcesPerNode != nil)
	}
	u.Patched += one(len(job.Spec.RuntimePatches) > 0)
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// alike are the pairs of runtimes that differ in one field.
func alike(runtimes []render.Runtime) []RuntimePair {
	pairs := []RuntimePair{}
	for i, a := range runtimes {
		for _, b := range runtimes[i+1:] {
			if edits := render.Change(asObject(a), asObject(b)); len(edits) == 1 {
				pairs = append(pairs, RuntimePair{[2]string{name(a), name(b)}, edits[0].Path, [2]string{edits[0].Was, edits[0].Is}})
			}
		}
	}
	return pairs
}

func asObject(r render.Runtime) *trainer.ClusterTrainingRuntime {
	return &trainer.ClusterTrainingRuntime{Spec: r.Spec}
}

// JSON writes the summary for other programs.
func (s RuntimeSummary) JSON(w io.Writer) error { return indented(w, s) }

// Tables writes the summary for people, in columns or as markdown.
func (s RuntimeSummary) Tables(w io.Writer, markdown bool) error {
	used := table{header: []string{"RUNTIME", "NAMESPACE", "JOBS", "OWN IMAGE", "OWN COMMAND", "OWN RESOURCES", "PATCHED"}}
	for _, u := range s.Used {
		used.rows = append(used.rows, []string{u.Runtime, u.Namespace, fmt.Sprint(u.Jobs), fmt.Sprint(u.Image),
			fmt.Sprint(u.Command), fmt.Sprint(u.Resources), fmt.Sprint(u.Patched)})
	}
	pairs := table{title: "Differ in one field", header: []string{"RUNTIMES", "FIELD", "VALUES"}}
	for _, p := range s.Alike {
		pairs.rows = append(pairs.rows, []string{p.Runtimes[0] + ", " + p.Runtimes[1], p.Field, brief(filled(p.Values[0])) + ", " + brief(filled(p.Values[1]))})
	}
	unused := table{title: "Nobody uses", header: []string{"RUNTIME"}}
	for _, runtime := range s.Unused {
		unused.rows = append(unused.rows, []string{runtime})
	}
	return writeTables(w, []table{used, pairs, unused}, markdown)
}
