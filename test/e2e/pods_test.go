// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render"
)

// TestPodsAreForetold holds the pods that render.Pods foretells against those
// that JobSet's and the Job controller make, for each example and for the first
// golden cases.
func TestPodsAreForetold(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../examples/*/rendered.yaml", "../../testdata/render/shipped-*/jobset.yaml", "../../testdata/render/gang-*/jobset.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("found nothing as %s: %v", pattern, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			t.Parallel()
			space := namespace(t)
			objects := in(space, namespaced(read(t, file)))
			for _, name := range queues(objects) {
				localQueue(t, space, name, clusterQueue(t, flavor(t, "{}"), "1000"))
			}
			surroundings(t, space, objects)
			apply(t, argoServerSide, objects...)
			for _, object := range objects {
				if object.GetKind() == "JobSet" {
					foretold(t, object, everMade(t, space, object.GetName()))
				}
			}
		})
	}
}

// everMade follows a JobSet to its end and returns each pod that was there on
// the way, by its name without the random end: a JobSet that ends deletes pods
// that still run, such as the nodes of an MPI launcher.
func everMade(t *testing.T, namespace, name string) map[string]corev1.Pod {
	t.Helper()
	made := map[string]corev1.Pod{}
	eventually(t, func() error {
		state := liveJobSet(t, namespace, name).Status.TerminalState
		var list corev1.PodList
		err := cluster.Client.List(t.Context(), &list, client.InNamespace(namespace), client.MatchingLabels{jobset.JobSetNameKey: name})
		if err != nil {
			return err
		}
		for _, pod := range list.Items {
			made[pod.Name[:strings.LastIndexByte(pod.Name, '-')]] = pod
		}
		if state != string(jobset.JobSetCompleted) {
			return errRunning
		}
		return nil
	})
	return made
}

// foretold compares all pods that a JobSet had.
func foretold(t *testing.T, object *unstructured.Unstructured, made map[string]corev1.Pod) {
	t.Helper()
	js := &jobset.JobSet{}
	convert(t, object, js)
	for _, object := range render.Pods(js) {
		pod, ok := object.(*corev1.Pod)
		if !ok {
			continue
		}
		theirs, there := made[pod.Name]
		if !there {
			t.Errorf("there is no pod %s", pod.Name)
			continue
		}
		delete(made, pod.Name)
		comparePods(t, theirs, admitted(t, pod))
	}
	if len(made) > 0 {
		t.Errorf("there are more pods: %v", slices.Sorted(maps.Keys(made)))
	}
}

// admitted is a pod with all that the API server fills in.
func admitted(t *testing.T, pod *corev1.Pod) corev1.Pod {
	t.Helper()
	pod = pod.DeepCopy()
	if err := cluster.Client.Create(t.Context(), pod, client.DryRunAll); err != nil {
		t.Fatalf("the API server refuses the pod %s: %v", pod.Name, err)
	}
	return *pod
}

// comparePods compares two pods without what tells one run of a pod from
// another: UIDs, the node, and the name of the volume with its token.
func comparePods(t *testing.T, theirs, ours corev1.Pod) {
	t.Helper()
	for _, pod := range []*corev1.Pod{&theirs, &ours} {
		for _, key := range []string{jobset.JobSetUIDKey, batchv1.ControllerUidLabel, "controller-uid"} {
			delete(pod.Labels, key)
			delete(pod.Annotations, key)
		}
		for _, marks := range []map[string]string{pod.Labels, pod.Annotations} {
			maps.DeleteFunc(marks, func(key, _ string) bool { return strings.Contains(key, "kueue.x-k8s.io/") })
		}
		pod.Spec.NodeName = ""
		nameToken(&pod.Spec)
	}
	for _, pair := range []struct {
		what         string
		theirs, ours any
	}{
		{"labels", theirs.Labels, ours.Labels},
		{"annotations", theirs.Annotations, ours.Annotations},
		{"spec", theirs.Spec, ours.Spec},
	} {
		if !apiequality.Semantic.DeepEqual(pair.theirs, pair.ours) {
			t.Errorf("%s of %s: made -, foretold +:\n%s", pair.what, ours.Name, cmp.Diff(pair.theirs, pair.ours))
		}
	}
}

// nameToken gives the volume of the service account's token one name.
func nameToken(pod *corev1.PodSpec) {
	const prefix = "kube-api-access-"
	for i := range pod.Volumes {
		if strings.HasPrefix(pod.Volumes[i].Name, prefix) {
			pod.Volumes[i].Name = prefix
		}
	}
	for _, containers := range [][]corev1.Container{pod.Containers, pod.InitContainers} {
		for i := range containers {
			for k, mount := range containers[i].VolumeMounts {
				if strings.HasPrefix(mount.Name, prefix) {
					containers[i].VolumeMounts[k].Name = prefix
				}
			}
		}
	}
}
