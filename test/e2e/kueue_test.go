// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"text/template"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/trainyard/trainyard/test/e2e/plane"
)

// create makes the objects of a template in testdata/kueue and deletes them
// when the test ends.
func create(t *testing.T, file string, values map[string]string) *unstructured.Unstructured {
	t.Helper()
	text, err := template.ParseFiles("testdata/kueue/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var filled bytes.Buffer
	if err := text.Option("missingkey=error").Execute(&filled, values); err != nil {
		t.Fatal(err)
	}
	objects, err := plane.Decode(filled.Bytes())
	if err != nil || len(objects) != 1 {
		t.Fatalf("%s holds %d objects, want 1: %v", file, len(objects), err)
	}
	made := objects[0]
	if err := cluster.Client.Create(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Client.Delete(context.Background(), made); err != nil {
			t.Error(err)
		}
	})
	return made
}

// flavor makes a ResourceFlavor with a spec in YAML and returns its name.
func flavor(t *testing.T, spec string) string {
	t.Helper()
	return create(t, "flavor.yaml", map[string]string{"Spec": spec}).GetName()
}

// clusterQueue makes a ClusterQueue of a flavor with so many CPUs and returns
// its name.
func clusterQueue(t *testing.T, flavor, cpus string) string {
	t.Helper()
	return create(t, "clusterqueue.yaml", map[string]string{"Flavor": flavor, "CPUs": cpus}).GetName()
}

// localQueue lets a namespace use a ClusterQueue under a name.
func localQueue(t *testing.T, namespace, name, clusterQueue string) {
	t.Helper()
	create(t, "localqueue.yaml", map[string]string{"Namespace": namespace, "Name": name, "ClusterQueue": clusterQueue})
}

// giveCPUs gives a ClusterQueue quota for whatever a test has queued.
func giveCPUs(t *testing.T, clusterQueue string) {
	t.Helper()
	patchQueue(t, clusterQueue, "replace", "resourceGroups/0/flavors/0/resources/0/nominalQuota", "64")
}

// setStopPolicy says whether a ClusterQueue admits.
func setStopPolicy(t *testing.T, clusterQueue, policy string) {
	t.Helper()
	patchQueue(t, clusterQueue, "add", "stopPolicy", policy)
}

func patchQueue(t *testing.T, clusterQueue, op, field, value string) {
	t.Helper()
	queue := &unstructured.Unstructured{}
	queue.SetAPIVersion("kueue.x-k8s.io/v1beta2")
	queue.SetKind("ClusterQueue")
	queue.SetName(clusterQueue)
	patch := fmt.Sprintf(`[{"op": %q, "path": "/spec/%s", "value": %q}]`, op, field, value)
	if err := cluster.Client.Patch(t.Context(), queue, client.RawPatch(types.JSONPatchType, []byte(patch))); err != nil {
		t.Fatal(err)
	}
}
