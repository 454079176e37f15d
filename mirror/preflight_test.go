// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/yaml"
)

// The Trainer's and Kueue's usual places.
const (
	trainerPlace = "kubeflow-system/kubeflow-trainer-controller-manager"
	kueuePlace   = "kueue-system/kueue-manager-config"
)

// apiServer answers discovery and OpenAPI requests from a map of paths.
type apiServer map[string]any

func (a apiServer) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	answer, ok := a[in.URL.Path]
	if !ok {
		http.NotFound(out, in)
		return
	}
	out.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(out).Encode(answer); err != nil {
		http.Error(out, err.Error(), http.StatusInternalServerError)
	}
}

func resources(version string, names ...string) metav1.APIResourceList {
	list := metav1.APIResourceList{GroupVersion: version}
	for _, name := range names {
		list.APIResources = append(list.APIResources, metav1.APIResource{Name: name})
	}
	return list
}

func newPreflight(t *testing.T, api apiServer, objects ...client.Object) preflight {
	t.Helper()
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	cluster, err := discovery.NewDiscoveryClientForConfig(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	scheme, err := newScheme()
	if err != nil {
		t.Fatal(err)
	}
	return preflight{
		discovery: cluster, log: logr.Discard(),
		live:    fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).Build(),
		options: Options{TrainerDeployment: trainerPlace, KueueConfig: kueuePlace},
	}
}

func TestMissingAPIs(t *testing.T) {
	trainjobs := resources("trainer.kubeflow.org/v1alpha1", "trainjobs", "trainjobs/status")
	jobsets := resources("jobset.x-k8s.io/v1alpha2", "jobsets")
	groups := metav1.APIGroupList{Groups: []metav1.APIGroup{{
		Name: "jobset.x-k8s.io", Versions: []metav1.GroupVersionForDiscovery{{Version: "v1"}, {Version: "v1beta1"}},
	}}}
	for name, c := range map[string]struct {
		api  apiServer
		want string
	}{
		"both": {apiServer{"/apis/trainer.kubeflow.org/v1alpha1": trainjobs, "/apis/jobset.x-k8s.io/v1alpha2": jobsets}, ""},
		"no TrainJob": {
			apiServer{"/apis/jobset.x-k8s.io/v1alpha2": jobsets},
			"trainjobs.trainer.kubeflow.org is not served in version v1alpha1; install the Trainer 2.3 or its CRDs alone (deploy/crds)",
		},
		"only the runtimes": {
			apiServer{"/apis/trainer.kubeflow.org/v1alpha1": resources("trainer.kubeflow.org/v1alpha1", "trainingruntimes")},
			"trainjobs.trainer.kubeflow.org is not served in version v1alpha1; install the Trainer 2.3 or its CRDs alone (deploy/crds)",
		},
		"a later JobSet": {
			apiServer{"/apis/trainer.kubeflow.org/v1alpha1": trainjobs, "/apis": groups},
			"jobsets.jobset.x-k8s.io is not served in version v1alpha2 (the group has v1, v1beta1); install JobSet 0.12 or later",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := newPreflight(t, c.api).missingAPIs(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// The wait ends with the context, and not before the APIs are there.
func TestWaitForAPIsIsStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if newPreflight(t, apiServer{}).waitForAPIs(ctx) == nil {
		t.Error("the wait ended though nothing is served")
	}
}

// openAPI publishes the CRD of deploy/crds, without the field.
func openAPI(t *testing.T, without ...string) apiServer {
	t.Helper()
	text, err := os.ReadFile("../deploy/crds/trainer.kubeflow.org_trainjobs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var crd struct {
		Spec struct {
			Versions []struct {
				Schema struct {
					OpenAPIV3Schema schemaNode `json:"openAPIV3Schema"`
				} `json:"schema"`
			} `json:"versions"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(text, &crd); err != nil {
		t.Fatal(err)
	}
	whole := crd.Spec.Versions[0].Schema.OpenAPIV3Schema
	for _, path := range without {
		node := whole
		fields := strings.Split(path, ".")
		for _, field := range fields[:len(fields)-1] {
			node = node.Properties[field]
			if node.Items != nil {
				node = *node.Items
			}
		}
		delete(node.Properties, fields[len(fields)-1])
	}
	schemas := map[string]schemaNode{"org.kubeflow.trainer.v1alpha1.TrainJob": whole, "org.kubeflow.trainer.v1alpha1.TrainJobList": {}}
	return apiServer{
		"/openapi/v3": map[string]any{"paths": map[string]any{
			"apis/trainer.kubeflow.org/v1alpha1": map[string]string{"serverRelativeURL": "/openapi/v3/apis/trainer.kubeflow.org/v1alpha1?hash=1"},
		}},
		"/openapi/v3/apis/trainer.kubeflow.org/v1alpha1": map[string]any{"components": map[string]any{"schemas": schemas}},
	}
}

func TestTrainJobShape(t *testing.T) {
	for name, c := range map[string]struct {
		without  []string
		allowOld bool
		forbids  bool
		says     string
	}{
		"2.3":              {nil, false, false, "is that of the Trainer 2.3 or later"},
		"2.2":              {[]string{since23}, false, true, "the way leads through 2.3"},
		"2.2, allowed":     {[]string{since23}, true, false, "allowed by --allow-old-trainer"},
		"2.0":              {[]string{"spec.runtimePatches"}, false, true, "older than 2.3"},
		"no jobsStatus":    {[]string{"status.jobsStatus"}, true, true, "it has no status.jobsStatus.name"},
		"four counters":    {[]string{"status.jobsStatus.suspended"}, false, true, "it has no status.jobsStatus.suspended"},
		"nobody publishes": {nil, false, false, "was not checked"},
	} {
		t.Run(name, func(t *testing.T) {
			api := openAPI(t, c.without...)
			if name == "nobody publishes" {
				api = apiServer{"/openapi/v3": map[string]any{"paths": map[string]any{}}}
			}
			p := newPreflight(t, api)
			p.options.AllowOldTrainer = c.allowOld
			wantVerdict(t, p.trainJobShape(), c.forbids, c.says)
		})
	}
}

func wantVerdict(t *testing.T, got verdict, forbids bool, says string) {
	t.Helper()
	if got.forbids != forbids || !strings.Contains(got.text, says) {
		t.Errorf("forbids: %v, want %v; text %q, want %q in it", got.forbids, forbids, got.text, says)
	}
}

func deployment(image, label string, replicas int32) *appsv1.Deployment {
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{
		Namespace: "kubeflow-system", Name: "kubeflow-trainer-controller-manager", Labels: map[string]string{},
	}}
	if label != "" {
		d.Labels["app.kubernetes.io/version"] = label
	}
	d.Spec.Replicas = &replicas
	d.Spec.Template.Spec.Containers = []corev1.Container{{Name: "sidecar", Image: "example.com/proxy:v1.0.0"}, {Name: "manager", Image: image}}
	return d
}

func TestTrainerVersion(t *testing.T) {
	const repo = "ghcr.io/kubeflow/trainer/trainer-controller-manager"
	for name, c := range map[string]struct {
		trainer  *appsv1.Deployment
		allowOld bool
		forbids  bool
		says     string
	}{
		"none":               {nil, false, false, "no Trainer beside the mirror"},
		"2.3.0":              {deployment(repo+":v2.3.0", "", 1), false, false, "runs version 2.3.0"},
		"2.4.1, by digest":   {deployment("localhost:5000/t:v2.4.1@sha256:abc", "", 1), false, false, "runs version 2.4.1"},
		"2.2.0":              {deployment(repo+":v2.2.0", "", 1), false, true, "ignores spec.managedBy"},
		"2.2.0, allowed":     {deployment(repo+":v2.2.0", "", 1), true, false, "allowed by --allow-old-trainer"},
		"2.2.0, not running": {deployment(repo+":v2.2.0", "", 0), false, false, "scaled to 0"},
		"2.0.0, by label":    {deployment(repo+"@sha256:abc", "2.0.0", 1), false, true, "runs version 2.0.0"},
		"unknown":            {deployment("localhost:5000/t", "", 1), false, false, "does not tell its version"},
		"latest":             {deployment(repo+":latest", "", 1), false, false, "does not tell its version"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPreflight(t, apiServer{})
			if c.trainer != nil {
				p = newPreflight(t, apiServer{}, c.trainer)
			}
			p.options.AllowOldTrainer = c.allowOld
			wantVerdict(t, p.trainerVersion(t.Context()), c.forbids, c.says)
		})
	}
}

func TestFinalizers(t *testing.T) {
	held := &trainer.TrainingRuntime{ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: "own", Finalizers: []string{finalizer}}}
	free := &trainer.ClusterTrainingRuntime{ObjectMeta: metav1.ObjectMeta{Name: "torch-distributed", Finalizers: []string{"example.com/other"}}}
	wantVerdict(t, newPreflight(t, apiServer{}, free).finalizers(t.Context()), false, "no runtime holds the finalizer")
	wantVerdict(t, newPreflight(t, apiServer{}, free, held).finalizers(t.Context()), false, "on 1 runtimes, the first TrainingRuntime team-a/own")
}

func TestKueue(t *testing.T) {
	config := func(frameworks string) *corev1.ConfigMap {
		return &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Namespace: "kueue-system", Name: "kueue-manager-config"},
			Data:       map[string]string{"controller_manager_config.yaml": "integrations:\n  frameworks: [" + frameworks + "]\n"},
		}
	}
	wantVerdict(t, newPreflight(t, apiServer{}).kueue(t.Context()), false, "is not there")
	wantVerdict(t, newPreflight(t, apiServer{}, config(`batch/job, "jobset.x-k8s.io/jobset", "trainer.kubeflow.org/trainjob"`)).kueue(t.Context()), false, "is fit")
	wantVerdict(t, newPreflight(t, apiServer{}, config("batch/job")).kueue(t.Context()), false, "is fit")
	wantVerdict(t, newPreflight(t, apiServer{}, config(`"trainer.kubeflow.org/trainjob"`)).kueue(t.Context()), false, "without jobset.x-k8s.io/jobset")
	wantVerdict(t, newPreflight(t, apiServer{}, config("[")).kueue(t.Context()), false, "is no YAML")
}

// With the smallest rights the mirror starts, and says what it could not see.
func TestPreflightWithoutRights(t *testing.T) {
	p := newPreflight(t, openAPI(t))
	forbidden := apierrors.NewForbidden(schema.GroupResource{Resource: "things"}, "", nil)
	scheme, err := newScheme()
	if err != nil {
		t.Fatal(err)
	}
	p.live = fake.NewClientBuilder().WithScheme(scheme).WithInterceptorFuncs(interceptor.Funcs{
		Get: func(context.Context, client.WithWatch, client.ObjectKey, client.Object, ...client.GetOption) error {
			return forbidden
		},
		List: func(context.Context, client.WithWatch, client.ObjectList, ...client.ListOption) error {
			return forbidden
		},
	}).Build()
	for _, v := range []verdict{p.trainerVersion(t.Context()), p.finalizers(t.Context()), p.kueue(t.Context())} {
		wantVerdict(t, v, false, "the component deploy/mirror/components/preflight lets it")
	}
	if err := p.round(t.Context()); err != nil {
		t.Error(err)
	}
}

// One check that forbids is enough.
func TestPreflightForbids(t *testing.T) {
	p := newPreflight(t, openAPI(t), deployment("x:v2.1.0", "", 1))
	if err := p.round(t.Context()); err == nil || !strings.Contains(err.Error(), "2.1.0") {
		t.Errorf("starts beside a Trainer 2.1.0: %v", err)
	}
}
