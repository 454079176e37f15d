// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"context"
	"fmt"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// owner is the field manager of what this package applies.
const owner = client.FieldOwner("plane")

// Apply puts objects into the cluster, server-side.
func (p *Plane) Apply(ctx context.Context, objects ...*unstructured.Unstructured) error {
	for _, object := range objects {
		err := p.Client.Apply(ctx, client.ApplyConfigurationFromUnstructured(object.DeepCopy()), owner, client.ForceOwnership)
		if err != nil {
			return fmt.Errorf("apply %s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
	return nil
}

// define applies a resource definition and waits until it is served.
func (p *Plane) define(ctx context.Context, definition *unstructured.Unstructured) error {
	if err := p.Apply(ctx, definition); err != nil {
		return err
	}
	name := definition.GetName()
	return p.eventually(ctx, name, func(ctx context.Context) error {
		var served apiextensions.CustomResourceDefinition
		if err := p.Client.Get(ctx, client.ObjectKey{Name: name}, &served); err != nil {
			return err
		}
		for _, condition := range served.Status.Conditions {
			if condition.Type == apiextensions.Established && condition.Status == apiextensions.ConditionTrue {
				return nil
			}
		}
		return fmt.Errorf("%s is not established", name)
	})
}
