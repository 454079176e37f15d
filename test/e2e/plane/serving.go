// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"context"
	_ "embed"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// probes are one object per webhook server, created in a dry run only.
//
//go:embed config/probes.yaml
var probes []byte

// webhooksServe waits until each server answers: a controller says that it is
// ready a moment before its webhooks are.
func (p *Plane) webhooksServe(ctx context.Context) error {
	objects, err := Decode(probes)
	if err != nil {
		return err
	}
	for _, object := range objects {
		err := p.eventually(ctx, "the webhook of "+object.GetKind(), func(ctx context.Context) error {
			err := p.Client.Create(ctx, object.DeepCopy(), client.DryRunAll)
			if apierrors.IsInternalError(err) || apierrors.IsServiceUnavailable(err) {
				return fmt.Errorf("create %s: %w", object.GetName(), err)
			}
			return nil // refused by a webhook is answered too
		})
		if err != nil {
			return err
		}
	}
	return nil
}
