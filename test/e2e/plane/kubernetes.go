// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"context"
	"fmt"
)

// startKubernetes starts etcd, the API server, the controller manager and the
// scheduler.
func (p *Plane) startKubernetes(ctx context.Context) error {
	if err := p.startAPIServer(ctx); err != nil {
		return err
	}
	manager, err := p.kubeconfig("system:kube-controller-manager", "")
	if err != nil {
		return err
	}
	err = p.run("kube-controller-manager",
		"--kubeconfig="+manager, "--leader-elect=false", "--use-service-account-credentials",
		"--bind-address=127.0.0.1", p.flag("--secure-port", "kube-controller-manager"),
		"--service-account-private-key-file="+p.authority.file("sa.key"), "--root-ca-file="+p.authority.file("ca.crt"),
		"--kube-api-qps=200", "--kube-api-burst=400")
	if err != nil {
		return err
	}
	scheduler, err := p.kubeconfig("system:kube-scheduler", "")
	if err != nil {
		return err
	}
	config, err := p.fill("kube-scheduler", struct{ Kubeconfig string }{scheduler})
	if err != nil {
		return err
	}
	return p.run("kube-scheduler", "--config="+config,
		"--bind-address=127.0.0.1", p.flag("--secure-port", "kube-scheduler"))
}

func (p *Plane) startAPIServer(ctx context.Context) error {
	etcd, peer := "http://"+p.address("etcd"), "http://"+p.address("etcd-peer")
	// The store is thrown away: without fsync a slow disk does not matter.
	err := p.run("etcd", "--data-dir="+p.Dir+"/etcd", "--unsafe-no-fsync", "--log-level=warn",
		"--listen-client-urls="+etcd, "--advertise-client-urls="+etcd,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=default="+peer)
	if err != nil {
		return err
	}
	if err := p.answers(ctx, "etcd", etcd+"/health"); err != nil {
		return err
	}
	key := p.authority.file("sa.key")
	err = p.run("kube-apiserver", "--etcd-servers="+etcd,
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", p.flag("--secure-port", "kube-apiserver"),
		"--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.96.0.0/16",
		"--authorization-mode=RBAC", "--allow-privileged", "--client-ca-file="+p.authority.file("ca.crt"),
		"--tls-cert-file="+p.authority.file("tls.crt"), "--tls-private-key-file="+p.authority.file("tls.key"),
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file="+key, "--service-account-signing-key-file="+key)
	if err != nil {
		return err
	}
	// Health is open to everyone under RBAC's default roles.
	return p.answers(ctx, "kube-apiserver", p.url("kube-apiserver")+"/readyz")
}

// flag gives a component's port to a flag.
func (p *Plane) flag(name, component string) string {
	return fmt.Sprintf("%s=%d", name, p.port(component))
}
