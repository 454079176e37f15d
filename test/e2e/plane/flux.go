// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"context"
	"fmt"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const kustomizeController = "kustomize-controller"

// StartFlux builds what is not built yet and starts Flux's
// kustomize-controller. No source-controller stands beside it: whoever wants
// something applied writes the artifact into the status of a source.
func (p *Plane) StartFlux(ctx context.Context) error {
	// A module of its own: it asks for other versions than the control plane.
	flux := tools(filepath.Join(string(p.tools), "flux"))
	bin, err := flux.cached(func(dir string) error {
		if err := flux.compile(ctx, dir, ""); err != nil {
			return fmt.Errorf("build %s: %w", kustomizeController, err)
		}
		return flux.define(ctx, p.bin, "github.com/fluxcd/source-controller/api/v1", filepath.Join(dir, "sources"))
	})
	if err != nil {
		return err
	}
	definitions, err := flux.fluxDefinitions(ctx, bin)
	if err != nil {
		return err
	}
	for _, definition := range definitions {
		if err := p.define(ctx, definition); err != nil {
			return err
		}
	}
	err = p.launch(kustomizeController, filepath.Join(bin, kustomizeController),
		"--metrics-addr=0", "--health-addr="+p.address(kustomizeController+"-health"), "--concurrent=16")
	if err != nil {
		return err
	}
	return p.answers(ctx, kustomizeController, "http://"+p.address(kustomizeController+"-health")+"/readyz")
}

// fluxDefinitions are Kustomizations and the sources that the controller
// watches.
func (t tools) fluxDefinitions(ctx context.Context, bin string) ([]*unstructured.Unstructured, error) {
	all, err := t.kustomize(ctx, "github.com/fluxcd/kustomize-controller", "config/crd")
	if err != nil {
		return nil, err
	}
	for _, source := range []string{"gitrepositories", "ocirepositories", "buckets"} {
		definition, err := DecodeFile(filepath.Join(bin, "sources", "source.toolkit.fluxcd.io_"+source+".yaml"))
		if err != nil {
			return nil, err
		}
		all = append(all, definition...)
	}
	return all, nil
}
