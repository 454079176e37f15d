// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"fmt"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// leaseName is that of the lease by which replicas elect a leader.
const leaseName = "mirror-trainjob-status.trainyard.dev"

// NewManager returns a manager that runs the mirror once it is the leader and
// the APIs that it needs are served.
func NewManager(config *rest.Config, o Options) (manager.Manager, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	config = rest.CopyConfig(config)
	config.UserAgent = fieldOwner
	config.QPS = -1 // the number of workers is the limit, and the API server's own
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme,
		Cache:                         cacheOptions(o.Namespaces),
		Metrics:                       metricsserver.Options{BindAddress: o.MetricsAddress},
		HealthProbeBindAddress:        o.ProbeAddress,
		LeaderElection:                o.LeaderElection,
		LeaderElectionID:              leaseName,
		LeaderElectionNamespace:       o.LeaderElectionNamespace,
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return nil, fmt.Errorf("set up the manager: %w", err)
	}
	start := &starter{Manager: mgr, options: o}
	if err := mgr.AddHealthzCheck("ping", healthz.Ping); err != nil {
		return nil, err
	}
	if err := mgr.AddReadyzCheck("synced", start.ready); err != nil {
		return nil, err
	}
	return mgr, mgr.Add(start)
}

func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	all := runtime.NewSchemeBuilder(clientgoscheme.AddToScheme, trainer.AddToScheme, jobset.AddToScheme)
	if err := all.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("register the API types: %w", err)
	}
	return scheme, nil
}

// cacheOptions keep of each object what the mirror reads. A read of another
// kind fails rather than start a watch. Options for a kind are of no use here:
// they need its API when the mirror starts.
func cacheOptions(namespaces []string) cache.Options {
	options := cache.Options{
		DefaultTransform:            strip,
		NewInformer:                 newInformer,
		ReaderFailOnMissingInformer: true,
	}
	for _, namespace := range namespaces {
		if options.DefaultNamespaces == nil {
			options.DefaultNamespaces = map[string]cache.Config{}
		}
		options.DefaultNamespaces[namespace] = cache.Config{}
	}
	return options
}
