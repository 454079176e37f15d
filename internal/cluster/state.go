// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package cluster reads what kubectl tells of TrainJobs and JobSets, and says
// what it means for the TrainJobs in git.
package cluster

import (
	"encoding/json"
	"fmt"
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/internal/marks"
)

// State is what stands in a cluster.
type State struct {
	jobs []trainer.TrainJob
	sets []jobset.JobSet
}

// Read reads what `kubectl get trainjobs,jobsets -o json` prints, for one
// namespace or for all. Objects of other kinds are passed over.
func Read(text []byte) (State, error) {
	document, err := yaml.YAMLToJSON(text)
	if err != nil {
		return State{}, fmt.Errorf("read the cluster's objects: %w", err)
	}
	var list struct {
		metav1.TypeMeta
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(document, &list); err != nil {
		return State{}, fmt.Errorf("read the cluster's objects: %w", err)
	}
	if list.Kind != "List" && list.Items == nil {
		list.Items = []json.RawMessage{document}
	}
	var s State
	for i, item := range list.Items {
		if err := s.add(item); err != nil {
			return State{}, fmt.Errorf("read item %d of the cluster's objects: %w", i, err)
		}
	}
	return s, nil
}

func (s *State) add(item []byte) error {
	var kind metav1.TypeMeta
	if err := json.Unmarshal(item, &kind); err != nil {
		return err
	}
	switch kind.GroupVersionKind().GroupKind().String() {
	case trainer.TrainJobKind + "." + trainer.GroupVersion.Group:
		var job trainer.TrainJob
		if err := json.Unmarshal(item, &job); err != nil {
			return err
		}
		s.jobs = append(s.jobs, job)
	case "JobSet." + jobset.GroupVersion.Group:
		var set jobset.JobSet
		if err := json.Unmarshal(item, &set); err != nil {
			return err
		}
		s.sets = append(s.sets, set)
	}
	return nil
}

// rendered are the JobSets that were rendered for a TrainJob.
func (s State) rendered(namespace, name string) []jobset.JobSet {
	return slices.DeleteFunc(slices.Clone(s.sets), func(js jobset.JobSet) bool {
		return js.Labels[marks.TrainJob] != name || !within(js.Namespace, namespace)
	})
}

// applied is the TrainJob as it stands in the cluster, and the JobSet that the
// Trainer made for it; nil where there is none.
func (s State) applied(namespace, name string) (*trainer.TrainJob, *jobset.JobSet) {
	i := slices.IndexFunc(s.jobs, func(t trainer.TrainJob) bool { return t.Name == name && within(t.Namespace, namespace) })
	if i < 0 {
		return nil, nil
	}
	job := &s.jobs[i]
	j := slices.IndexFunc(s.sets, func(js jobset.JobSet) bool {
		owner := metav1.GetControllerOf(&js)
		return js.Namespace == job.Namespace && owner != nil && owner.Kind == trainer.TrainJobKind && owner.Name == name
	})
	if j < 0 {
		return job, nil
	}
	return job, &s.sets[j]
}

// within: a TrainJob in git may leave its namespace to whoever applies it.
func within(namespace, wanted string) bool { return wanted == "" || namespace == wanted }

// ambiguous: without a namespace in git the name may stand for several.
func (s State) ambiguous(namespace, name string) bool {
	found := map[string]bool{}
	for _, job := range s.jobs {
		found[job.Namespace] = found[job.Namespace] || job.Name == name
	}
	for _, js := range s.sets {
		found[js.Namespace] = found[js.Namespace] || js.Labels[marks.TrainJob] == name
	}
	count := 0
	for _, there := range found {
		if there {
			count++
		}
	}
	return namespace == "" && count > 1
}
