// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// surroundings makes what the pods of JobSets expect to find in a cluster:
// service accounts, classes, volume claims and labelled nodes.
func surroundings(t *testing.T, namespace string, objects []*unstructured.Unstructured) {
	t.Helper()
	for _, object := range objects {
		if object.GetKind() != "JobSet" {
			continue
		}
		var typed jobset.JobSet
		convert(t, object, &typed)
		aroundJobSet(t, namespace, &typed)
	}
}

func aroundJobSet(t *testing.T, namespace string, js *jobset.JobSet) {
	t.Helper()
	for _, job := range js.Spec.ReplicatedJobs {
		around(t, namespace, js.Spec, job.Template.Spec.Template.Spec)
	}
}

func around(t *testing.T, namespace string, spec jobset.JobSetSpec, pod corev1.PodSpec) {
	t.Helper()
	in := metav1.ObjectMeta{Namespace: namespace}
	if in.Name = pod.ServiceAccountName; in.Name != "" {
		ensure(t, &corev1.ServiceAccount{ObjectMeta: in})
	}
	if class := pod.PriorityClassName; class != "" && !strings.HasPrefix(class, "system-") {
		ensure(t, &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: class}, Value: 1,
			PreemptionPolicy: pod.PreemptionPolicy})
	}
	if class := pod.RuntimeClassName; class != nil {
		ensure(t, &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: *class}, Handler: "any",
			Overhead: &nodev1.Overhead{PodFixed: pod.Overhead}})
	}
	for _, volume := range pod.Volumes {
		if claim := volume.PersistentVolumeClaim; claim != nil && !makesClaim(spec, claim.ClaimName) {
			in.Name = claim.ClaimName
			ensure(t, &corev1.PersistentVolumeClaim{ObjectMeta: in, Spec: corev1.PersistentVolumeClaimSpec{
				AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany},
				Resources: corev1.VolumeResourceRequirements{
					Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")},
				},
			}})
		}
	}
	if len(pod.NodeSelector) > 0 {
		label(t, "node-0", pod.NodeSelector)
	}
}

// makesClaim: JobSet makes the claims of its own templates.
func makesClaim(spec jobset.JobSetSpec, name string) bool {
	for _, policy := range spec.VolumeClaimPolicies {
		for _, template := range policy.Templates {
			if template.Name == name {
				return true
			}
		}
	}
	return false
}

// ensure makes an object unless it is there, or can't exist: a test may ask for
// what is wrong.
func ensure(t *testing.T, object client.Object) {
	t.Helper()
	if err := cluster.Client.Create(t.Context(), object); err != nil && !apierrors.IsAlreadyExists(err) && !apierrors.IsInvalid(err) {
		t.Fatal(err)
	}
}

func label(t *testing.T, name string, labels map[string]string) {
	t.Helper()
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
	before := client.MergeFrom(node.DeepCopy())
	node.Labels = labels
	if err := cluster.Client.Patch(t.Context(), node, before); err != nil && !apierrors.IsInvalid(err) {
		t.Fatal(err)
	}
}
