// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	coscheduling "sigs.k8s.io/scheduler-plugins/apis/scheduling/v1alpha1"
	volcano "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
)

// runtimes are what the Trainer finds in the cluster, by name.
type runtimes map[string]*trainer.ClusterTrainingRuntime

// newClient returns a client that knows the runtimes and forgets what it is told
// to write.
func newClient(known runtimes) (client.Client, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, trainer.AddToScheme, jobset.AddToScheme, coscheduling.AddToScheme, volcano.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("make a client: %w", err)
		}
	}
	return interceptor.NewClient(fake.NewClientBuilder().WithScheme(scheme).Build(), interceptor.Funcs{
		Get: known.get,
		Apply: func(context.Context, client.WithWatch, runtime.ApplyConfiguration, ...client.ApplyOption) error {
			return nil
		},
	}), nil
}

func (r runtimes) get(_ context.Context, _ client.WithWatch, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	switch into := into.(type) {
	case *trainer.ClusterTrainingRuntime:
		if held := r[key.Name]; held != nil {
			held.DeepCopyInto(into)
			return nil
		}
	case *corev1.Secret:
		return nil
	}
	return apierrors.NewNotFound(schema.GroupResource{}, key.Name)
}
