// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// install makes the controller's namespace and resource definitions.
func (p *Plane) install(ctx context.Context, c controller) error {
	namespace := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": c.name + "-system"},
	}}
	if err := p.Apply(ctx, namespace); err != nil {
		return err
	}
	definitions, err := p.tools.kustomize(ctx, c.module, c.crds)
	if err != nil {
		return err
	}
	for _, definition := range definitions {
		if definition.GetKind() != "CustomResourceDefinition" {
			continue
		}
		p.localize(definition, c, "spec", "conversion", "webhook", "clientConfig")
		if err := p.define(ctx, definition); err != nil {
			return err
		}
	}
	return nil
}

// installWebhooks points the controller's webhooks to its process.
func (p *Plane) installWebhooks(ctx context.Context, c controller) error {
	objects, err := p.tools.kustomize(ctx, c.module, c.webhooks)
	if err != nil {
		return err
	}
	for _, object := range objects {
		if object.GetAPIVersion() != "admissionregistration.k8s.io/v1" {
			continue
		}
		object.SetName(c.name)
		webhooks, _, err := unstructured.NestedSlice(object.Object, "webhooks")
		if err != nil {
			return err
		}
		for _, webhook := range webhooks {
			fields, ok := webhook.(map[string]any)
			if !ok {
				return fmt.Errorf("a webhook of %s is %T", c.name, webhook)
			}
			p.localize(&unstructured.Unstructured{Object: fields}, c, "clientConfig")
		}
		if err := unstructured.SetNestedSlice(object.Object, webhooks, "webhooks"); err != nil {
			return err
		}
		if err := p.Apply(ctx, object); err != nil {
			return err
		}
	}
	return nil
}

// localize replaces the Service in a webhook's client configuration, if it has
// one, by the address of the controller's process.
func (p *Plane) localize(object *unstructured.Unstructured, c controller, fields ...string) {
	path, found, _ := unstructured.NestedString(object.Object, append(fields, "service", "path")...)
	if !found {
		return
	}
	local := map[string]any{"url": p.url(c.name+"-webhook") + path, "caBundle": p.authority.bundle()}
	_ = unstructured.SetNestedMap(object.Object, local, fields...) // the fields are there: path was found
}
