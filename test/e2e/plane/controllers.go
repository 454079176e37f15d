// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"context"
	"fmt"
)

// controller is what a project installs: resources, webhooks and a program.
type controller struct {
	name     string // of its namespace and its configuration
	program  string
	module   string
	crds     string // a kustomization in the module
	webhooks string // another
}

var controllers = []controller{
	{"jobset", "jobset", "sigs.k8s.io/jobset", "config/components/crd", "config/components/webhook"},
	{"kueue", "kueue", "sigs.k8s.io/kueue", "config/components/crd", "config/components/webhook"},
	{"trainer", "trainer-controller-manager", "github.com/kubeflow/trainer/v2", "manifests/base/crds", "manifests/base/webhook"},
}

// startControllers installs all resources, then starts all programs, then
// sends them the webhooks: a webhook must not be asked before it serves.
func (p *Plane) startControllers(ctx context.Context) error {
	for _, c := range controllers {
		if err := p.install(ctx, c); err != nil {
			return fmt.Errorf("install %s: %w", c.name, err)
		}
	}
	for _, c := range controllers {
		if err := p.startController(c); err != nil {
			return err
		}
	}
	for _, c := range controllers {
		if err := p.answers(ctx, c.program, "http://"+p.address(c.name+"-health")+"/readyz"); err != nil {
			return err
		}
		if err := p.installWebhooks(ctx, c); err != nil {
			return fmt.Errorf("install the webhooks of %s: %w", c.name, err)
		}
	}
	return nil
}

func (p *Plane) startController(c controller) error {
	file, err := p.fill(c.name, struct {
		Webhook, Health int
		Certs           string
	}{p.port(c.name + "-webhook"), p.port(c.name + "-health"), p.authority.dir})
	if err != nil {
		return err
	}
	return p.run(c.program, "--kubeconfig="+p.Kubeconfig, "--config="+file)
}
