// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/yaml"
)

// site is a namespace whose TrainJobs lie in git and are applied by Flux.
type site struct {
	t                     *testing.T
	git, namespace, queue string
}

// newSite has TrainJobs that the Trainer runs, and a queue without quota.
func newSite(t *testing.T, names ...string) site {
	t.Helper()
	s := site{t: t, git: t.TempDir(), namespace: namespace(t), queue: clusterQueue(t, flavor(t, "{}"), "0")}
	localQueue(t, s.namespace, "queue", s.queue)
	inCluster(t, training(t, "runs"))
	for _, name := range names {
		s.commit(name)
	}
	apply(t, flux(false), s.unmarked(names...)...)
	return s
}

// commit adds the TrainJob of a file of testdata/jobs to git; "next" is one
// more that runs. None says suspend: under the Trainer an applier would suspend
// it again each time it comes back.
func (s site) commit(name string) {
	s.t.Helper()
	file := strings.Replace(name, "next", "runs", 1)
	job := training(s.t, file, func(job *trainer.TrainJob) {
		job.Name, job.Namespace, job.Spec.Suspend = name, s.namespace, nil
	}).job
	text, err := yaml.Marshal(encoded(s.t, job).Object)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.git, name+".yaml"), text, 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// unmarked are TrainJobs as they were before the migration.
func (s site) unmarked(names ...string) []*unstructured.Unstructured {
	s.t.Helper()
	var jobs []*unstructured.Unstructured
	for _, name := range names {
		job := read(s.t, filepath.Join(s.git, name+".yaml"))[0]
		job.SetAnnotations(nil)
		jobs = append(jobs, job)
	}
	return jobs
}

// sync renders git and lets Flux come back to it.
func (s site) sync() {
	s.t.Helper()
	objects, findings, code := command(s.t, s.git)
	if code != 0 {
		s.t.Fatalf("exit %d:\n%s", code, findings)
	}
	for range reapplies {
		apply(s.t, flux(false), objects...)
	}
}

// state is a file with what kubectl prints of the namespace.
func (s site) state() string {
	s.t.Helper()
	var items []any
	for _, kind := range []string{"TrainJob", "JobSet"} {
		list := &unstructured.UnstructuredList{}
		list.SetAPIVersion(map[string]string{"TrainJob": trainer.GroupVersion.String(), "JobSet": jobset.GroupVersion.String()}[kind])
		list.SetKind(kind + "List")
		if err := cluster.Client.List(s.t.Context(), list, client.InNamespace(s.namespace)); err != nil {
			s.t.Fatal(err)
		}
		for _, item := range list.Items {
			items = append(items, item.Object)
		}
	}
	text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	if err != nil {
		s.t.Fatal(err)
	}
	file := filepath.Join(s.t.TempDir(), "state.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		s.t.Fatal(err)
	}
	return file
}

// pods are the UIDs of all pods, by JobSet.
func (s site) pods() map[string][]string {
	s.t.Helper()
	var all corev1.PodList
	if err := cluster.Client.List(s.t.Context(), &all, client.InNamespace(s.namespace), client.HasLabels{jobset.JobSetNameKey}); err != nil {
		s.t.Fatal(err)
	}
	found := map[string][]string{}
	for _, pod := range all.Items {
		name := pod.Labels[jobset.JobSetNameKey]
		found[name] = append(found[name], string(pod.UID))
	}
	return found
}

// same compares the pods of some JobSets with what they were.
func (s site) same(were map[string][]string, names ...string) {
	s.t.Helper()
	are := s.pods()
	other := func(name string, _ []string) bool { return !slices.Contains(names, name) }
	before := maps.Clone(were)
	maps.DeleteFunc(before, other)
	maps.DeleteFunc(are, other)
	if diff := cmp.Diff(before, are); diff != "" {
		s.t.Errorf("other pods than before:\n%s", diff)
	}
}
