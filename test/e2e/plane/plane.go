// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// Plane is a running control plane.
type Plane struct {
	Dir        string        // logs and everything else it writes
	Kubeconfig string        // of an administrator
	Config     *rest.Config  // the same
	Client     client.Client // the same

	tools     tools
	bin       string
	ports     ports
	authority *authority
	processes map[string]*process
	started   []string // their names, first to last
}

// Start builds what is not built yet, starts everything and returns when it
// is ready. The folder tools holds the tools module. On an error everything is
// stopped again and the logs stay.
func Start(ctx context.Context, folder string) (*Plane, error) {
	p := &Plane{tools: tools(folder), processes: map[string]*process{}}
	for _, step := range []func(context.Context) error{
		p.prepare, p.startKubernetes, p.connect, p.defineGangs, p.startNodes, p.startControllers, p.webhooksServe,
	} {
		if err := step(ctx); err != nil {
			return nil, errors.Join(fmt.Errorf("start the control plane (logs in %s): %w", p.Dir, err), p.End())
		}
	}
	return p, nil
}

// Stop ends every process and removes what was written.
func (p *Plane) Stop() error {
	return errors.Join(p.End(), os.RemoveAll(p.Dir))
}

// End ends every process, the last one first, and leaves the logs.
func (p *Plane) End() error {
	var errs []error
	for _, name := range slices.Backward(p.started) {
		errs = append(errs, p.processes[name].stop())
	}
	p.started = nil
	return errors.Join(errs...)
}

// prepare builds the programs and makes files, ports and certificates.
func (p *Plane) prepare(ctx context.Context) (err error) {
	if p.bin, err = p.tools.build(ctx); err != nil {
		return err
	}
	if p.Dir, err = os.MkdirTemp("", "trainyard-e2e-"); err != nil {
		return err
	}
	// controller-runtime looks here where a project's configuration has no field for it.
	certs := filepath.Join(p.Dir, "k8s-webhook-server", "serving-certs")
	for _, dir := range []string{certs, filepath.Join(p.Dir, "logs")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if p.ports, err = freePorts("etcd", "etcd-peer", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok",
		"jobset-webhook", "jobset-health", "kueue-webhook", "kueue-health", "trainer-webhook", "trainer-health",
		"kustomize-controller-health"); err != nil {
		return err
	}
	if p.authority, err = newAuthority(certs); err != nil {
		return err
	}
	if err := p.authority.server(); err != nil {
		return err
	}
	if err := p.authority.serviceAccounts(); err != nil {
		return err
	}
	return p.metricsCertificate()
}

// run starts a program of the control plane under its own name.
func (p *Plane) run(name string, args ...string) error {
	program := filepath.Join(p.bin, name)
	if name == "etcd" {
		program = filepath.Join(p.bin, "server") // go build names it after its package
	}
	return p.launch(name, program, args...)
}

func (p *Plane) launch(name, program string, args ...string) error {
	started, err := start(p.Dir, name, program, args...)
	if err != nil {
		return err
	}
	p.processes[name] = started
	p.started = append(p.started, name)
	return nil
}

// connect makes the administrator's client.
func (p *Plane) connect(context.Context) (err error) {
	if p.Kubeconfig, err = p.kubeconfig("admin", "system:masters"); err != nil {
		return err
	}
	if p.Config, err = restConfig(p.Kubeconfig); err != nil {
		return err
	}
	for _, add := range []func(*runtime.Scheme) error{apiextensions.AddToScheme, jobset.AddToScheme, trainer.AddToScheme} {
		if err := add(scheme.Scheme); err != nil {
			return err
		}
	}
	p.Client, err = client.New(p.Config, client.Options{Scheme: scheme.Scheme})
	return err
}
