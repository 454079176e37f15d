// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

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

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
)

// newScheme knows every type that the Trainer touches.
func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, trainer.AddToScheme, jobset.AddToScheme, coscheduling.AddToScheme, volcano.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	return scheme, nil
}

// cluster is what the API server holds while a case is judged.
type cluster map[identity]client.Object

type identity struct{ kind, namespace, name string }

// clusterKey is the key of a cluster in a context: one client serves all the
// cases that run side by side.
type clusterKey struct{}

// newClient returns a fake client that reads the cluster of its context and
// forgets what it is told to write. Nothing is read back within one case: the
// Trainer writes nothing but its snapshot of the runtime.
func newClient(scheme *runtime.Scheme) client.Client {
	return interceptor.NewClient(fake.NewClientBuilder().WithScheme(scheme).Build(), interceptor.Funcs{
		Get: get,
		Apply: func(context.Context, client.WithWatch, runtime.ApplyConfiguration, ...client.ApplyOption) error {
			return nil
		},
	})
}

func get(ctx context.Context, c client.WithWatch, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	gvk, err := c.GroupVersionKindFor(into)
	if err != nil {
		return err
	}
	held, _ := ctx.Value(clusterKey{}).(cluster)
	object, found := held[identity{gvk.GroupKind().String(), key.Namespace, key.Name}]
	if !found {
		plural := strings.ToLower(gvk.Kind) + "s"
		return apierrors.NewNotFound(schema.GroupResource{Group: gvk.Group, Resource: plural}, key.Name)
	}
	copied := object.DeepCopyObject()
	reflect.ValueOf(into).Elem().Set(reflect.ValueOf(copied).Elem())
	return nil
}

// hold puts an object into the cluster, in namespace if it names none itself.
func (c cluster) hold(scheme *runtime.Scheme, object map[string]any, namespace string) error {
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
	typed, err := scheme.New(gvk)
	if err != nil {
		return err
	}
	if err := Convert(object, typed); err != nil {
		return err
	}
	held := typed.(client.Object)
	if namespaced := kind != "ClusterTrainingRuntime" && kind != "PriorityClass"; namespaced && held.GetNamespace() == "" {
		held.SetNamespace(namespace)
	}
	c[identity{gvk.GroupKind().String(), held.GetNamespace(), held.GetName()}] = held
	return nil
}

// Convert reads an object into its type, or back, as a client does.
func Convert(from, into any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
