// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/test/e2e/plane"
)

// errRunning is why a test waits on.
var errRunning = errors.New("it still runs")

// patience is how long a test waits for the cluster.
const patience = 90 * time.Second

// namespace makes one for a test and deletes it afterwards.
func namespace(t *testing.T) string {
	t.Helper()
	made := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "e2e-"}}
	if err := cluster.Client.Create(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Client.Delete(context.Background(), made); err != nil {
			t.Error(err)
		}
	})
	return made.Name
}

// read decodes the objects of a YAML file.
func read(t *testing.T, file string) []*unstructured.Unstructured {
	t.Helper()
	objects, err := plane.DecodeFile(file)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return objects
}

// readText decodes the objects of a YAML text.
func readText(t *testing.T, text string) []*unstructured.Unstructured {
	t.Helper()
	objects, err := plane.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// readAll decodes the objects of all files that match.
func readAll(t *testing.T, pattern string) []*unstructured.Unstructured {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("found no %s: %v", pattern, err)
	}
	var objects []*unstructured.Unstructured
	for _, file := range files {
		objects = append(objects, read(t, file)...)
	}
	return objects
}

// in puts copies of namespaced objects into a namespace.
func in(namespace string, objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	moved := make([]*unstructured.Unstructured, len(objects))
	for i, object := range objects {
		moved[i] = object.DeepCopy()
		moved[i].SetNamespace(namespace)
	}
	return moved
}

// ofKind picks the only object of a kind.
func ofKind(t *testing.T, kind string, objects []*unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	var found []*unstructured.Unstructured
	for _, object := range objects {
		if object.GetKind() == kind {
			found = append(found, object)
		}
	}
	if len(found) != 1 {
		t.Fatalf("found %d objects of kind %s, want 1", len(found), kind)
	}
	return found[0]
}

// live reads an object back from the cluster.
func live(t *testing.T, object *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	found := &unstructured.Unstructured{}
	found.SetGroupVersionKind(object.GroupVersionKind())
	if err := cluster.Client.Get(t.Context(), client.ObjectKeyFromObject(object), found); err != nil {
		t.Fatal(err)
	}
	return found
}

// liveJobSet reads a JobSet back.
func liveJobSet(t *testing.T, namespace, name string) *jobset.JobSet {
	t.Helper()
	var found jobset.JobSet
	if err := cluster.Client.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, &found); err != nil {
		t.Fatal(err)
	}
	return &found
}

// pods are the UIDs of a JobSet's pods: another UID is another start.
func pods(t *testing.T, namespace, jobSet string) map[string]corev1.PodPhase {
	t.Helper()
	var list corev1.PodList
	err := cluster.Client.List(t.Context(), &list, client.InNamespace(namespace),
		client.MatchingLabels{jobset.JobSetNameKey: jobSet})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]corev1.PodPhase{}
	for _, pod := range list.Items {
		found[string(pod.UID)] = pod.Status.Phase
	}
	return found
}

// eventually repeats a check until it returns no error.
func eventually(t *testing.T, check func() error) {
	t.Helper()
	var err error
	for start := time.Now(); time.Since(start) < patience; time.Sleep(200 * time.Millisecond) {
		if err = check(); err == nil {
			return
		}
	}
	t.Fatalf("after %s: %v", patience, err)
}

// reaches waits until a condition of a JobSet is true.
func reaches(t *testing.T, namespace, name string, condition jobset.JobSetConditionType) {
	t.Helper()
	eventually(t, func() error {
		found := liveJobSet(t, namespace, name)
		var seen []string
		for _, c := range found.Status.Conditions {
			if c.Type == string(condition) && c.Status == metav1.ConditionTrue {
				return nil
			}
			seen = append(seen, fmt.Sprintf("%s=%s (%s)", c.Type, c.Status, c.Message))
		}
		return fmt.Errorf("JobSet %s is not %s; its conditions are %s", name, condition, strings.Join(seen, ", "))
	})
}

// running waits until a JobSet has so many running pods.
func running(t *testing.T, namespace, name string, want int) {
	t.Helper()
	eventually(t, func() error {
		found := 0
		for _, phase := range pods(t, namespace, name) {
			if phase == corev1.PodRunning {
				found++
			}
		}
		if found != want {
			return fmt.Errorf("JobSet %s has %d running pods, want %d", name, found, want)
		}
		return nil
	})
}
