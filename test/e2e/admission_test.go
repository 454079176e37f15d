// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	admission "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/trainyard/trainyard/render"
)

// TestAdmissionPolicy creates a queued JobSet where Kueue's webhook is not
// asked. Without the policy it starts past the queue; the policy refuses it.
// Where the webhook is asked the policy lets it pass.
func TestAdmissionPolicy(t *testing.T) {
	space := namespace(t)
	localQueue(t, space, "queue", clusterQueue(t, flavor(t, "{}"), "0"))
	objects := rendered(t, space, training(t, "held"), render.Options{})
	restore := withoutKueue(t, space)

	eventually(t, func() error {
		created := objects[0].DeepCopy()
		if err := cluster.Client.Create(t.Context(), created, client.DryRunAll); err != nil {
			return err
		}
		if suspended, _, _ := unstructured.NestedBool(created.Object, "spec", "suspend"); suspended {
			return fmt.Errorf("Kueue's webhook was asked")
		}
		return nil
	})

	install(t, "../../deploy/admission/*.yaml")
	eventually(t, func() error { return refusedByPolicy(t, objects[0]) })

	restore()
	eventually(t, func() error {
		return cluster.Client.Create(t.Context(), objects[0].DeepCopy(), client.DryRunAll)
	})
}

// refusedByPolicy is nil if the admission policy would refuse to create it.
func refusedByPolicy(t *testing.T, jobSet *unstructured.Unstructured) error {
	t.Helper()
	err := cluster.Client.Create(t.Context(), jobSet.DeepCopy(), client.DryRunAll)
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "names the queue queue") {
		return errors.Join(errors.New("want the policy's refusal"), err)
	}
	return nil
}

// withoutKueue keeps Kueue's webhook from JobSets of a namespace until the
// function it returns is called, or the test ends.
func withoutKueue(t *testing.T, namespace string) (restore func()) {
	t.Helper()
	set := func(ctx context.Context, selector *metav1.LabelSelector) {
		var webhooks admission.MutatingWebhookConfiguration
		if err := cluster.Client.Get(ctx, client.ObjectKey{Name: "kueue"}, &webhooks); err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(webhooks.Webhooks, func(w admission.MutatingWebhook) bool { return w.Name == "mjobset.kb.io" })
		webhooks.Webhooks[i].NamespaceSelector = selector
		if err := cluster.Client.Update(ctx, &webhooks); err != nil {
			t.Fatal(err)
		}
	}
	set(t.Context(), &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{
		Key: corev1.LabelMetadataName, Operator: metav1.LabelSelectorOpNotIn, Values: []string{namespace},
	}}})
	restore = func() { set(context.Background(), nil) }
	t.Cleanup(restore)
	return restore
}

// install creates the objects in files, until they are removed or the test ends.
func install(t *testing.T, pattern string) {
	t.Helper()
	for _, object := range installable(t, pattern) {
		if err := cluster.Client.Create(t.Context(), object); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := client.IgnoreNotFound(cluster.Client.Delete(context.Background(), object)); err != nil {
				t.Error(err)
			}
		})
	}
}

// remove deletes them again.
func remove(t *testing.T, pattern string) {
	t.Helper()
	for _, object := range installable(t, pattern) {
		if err := cluster.Client.Delete(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
}

func installable(t *testing.T, pattern string) []*unstructured.Unstructured {
	t.Helper()
	return slices.DeleteFunc(readAll(t, pattern), func(object *unstructured.Unstructured) bool {
		return object.GetKind() == "Kustomization"
	})
}
