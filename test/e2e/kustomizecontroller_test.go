// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/trainyard/trainyard/test/e2e/plane"
)

// startFlux starts kustomize-controller, once, and a server for what it fetches.
var startFlux = sync.OnceValues(func() (*artifacts, error) {
	return serveArtifacts(), cluster.StartFlux(context.Background())
})

// edit changes the spec of testdata/flux/kustomization.yaml.
type edit func(spec map[string]any)

func set(field string, value any) edit {
	return func(spec map[string]any) { spec[field] = value }
}

// kustomizeController is Flux's controller itself. It comes back by its own
// interval; one apply here is one reconciliation of it.
func kustomizeController(force bool, edits ...edit) applier {
	name := "kustomize-controller"
	if force {
		name += "-force"
	}
	edits = append(edits, set("force", force))
	return applier{name, func(ctx context.Context, objects []*unstructured.Unstructured) ([]string, error) {
		var before []map[string]any
		for _, object := range objects {
			was, err := stored(ctx, object)
			if err != nil {
				return nil, err
			}
			before = append(before, was)
		}
		if err := reconcile(ctx, objects, edits...); err != nil {
			return nil, err
		}
		var did []string
		for i, object := range objects {
			is, err := stored(ctx, object)
			if err != nil {
				return did, err
			}
			did = append(did, verb(before[i], is))
		}
		return did, nil
	}}
}

// reconcile offers objects, all of one namespace, and waits until the
// controller has reconciled them once more. Its error is the controller's.
func reconcile(ctx context.Context, objects []*unstructured.Unstructured, edits ...edit) error {
	if _, err := startFlux(); err != nil {
		return err
	}
	space := objects[0].GetNamespace()
	before, err := fluxStatus(ctx, space)
	if err != nil {
		return err
	}
	revision, err := offer(ctx, space, objects, edits...)
	if err != nil {
		return err
	}
	var now reconciliation
	for start := time.Now(); time.Since(start) < patience; time.Sleep(100 * time.Millisecond) {
		if now, err = fluxStatus(ctx, space); err != nil {
			return err
		}
		ready := now.ready()
		ended := now.total() > before.total() || ready.Reason == "BuildFailed" // which has no place in the history
		if now.LastAttemptedRevision != revision || !ended || ready.Status == "Unknown" {
			continue
		}
		if ready.Status == "False" {
			return fmt.Errorf("%s: %s", ready.Reason, ready.Message)
		}
		return nil
	}
	return fmt.Errorf("after %s no reconciliation of %s: %+v", patience, revision, now)
}

// offer makes the Kustomization of a namespace and hands its source an artifact
// with the objects. It returns the artifact's revision.
func offer(ctx context.Context, space string, objects []*unstructured.Unstructured, edits ...edit) (string, error) {
	served, err := startFlux()
	if err != nil {
		return "", err
	}
	status, revision, err := served.add(objects)
	if err != nil {
		return "", err
	}
	made, err := kustomization(space, edits...)
	if err != nil {
		return "", err
	}
	if err := cluster.Apply(ctx, made...); err != nil {
		return "", err
	}
	patch, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		return "", err
	}
	return revision, cluster.Client.Status().Patch(ctx, made[0].DeepCopy(), client.RawPatch(types.MergePatchType, patch))
}

// kustomization is a source and the Kustomization that applies it.
func kustomization(space string, edits ...edit) ([]*unstructured.Unstructured, error) {
	objects, err := plane.DecodeFile("testdata/flux/kustomization.yaml")
	if err != nil {
		return nil, err
	}
	for _, object := range objects {
		object.SetNamespace(space)
	}
	spec, _, err := unstructured.NestedMap(objects[1].Object, "spec")
	if err != nil {
		return nil, err
	}
	for _, edit := range edits {
		edit(spec)
	}
	return objects, unstructured.SetNestedMap(objects[1].Object, spec, "spec")
}

// reconciliation is what a Kustomization's status says.
type reconciliation struct {
	LastAttemptedRevision string      `json:"lastAttemptedRevision"`
	Conditions            []condition `json:"conditions"`
	History               []struct {
		TotalReconciliations int64 `json:"totalReconciliations"`
	} `json:"history"`
}

type condition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// total is how often the controller came to an end, good or bad.
func (r reconciliation) total() (n int64) {
	for _, one := range r.History {
		n += one.TotalReconciliations
	}
	return n
}

func (r reconciliation) ready() condition {
	for _, c := range r.Conditions {
		if c.Type == "Ready" {
			return c
		}
	}
	return condition{Status: "Unknown"}
}

// fluxStatus is empty where there is no Kustomization yet.
func fluxStatus(ctx context.Context, space string) (r reconciliation, err error) {
	object := &unstructured.Unstructured{}
	object.SetAPIVersion("kustomize.toolkit.fluxcd.io/v1")
	object.SetKind("Kustomization")
	err = cluster.Client.Get(ctx, client.ObjectKey{Namespace: space, Name: fluxKustomization}, object)
	if err := client.IgnoreNotFound(err); err != nil {
		return r, err
	}
	status, _, err := unstructured.NestedMap(object.Object, "status")
	if err != nil || status == nil {
		return r, err
	}
	return r, runtime.DefaultUnstructuredConverter.FromUnstructured(status, &r)
}
