// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/go-logr/logr"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/jobset/pkg/webhooks"
)

// Where JobSet's webhook answers.
const (
	defaultPath  = "/mutate-jobset-x-k8s-io-v1alpha2-jobset"
	validatePath = "/validate-jobset-x-k8s-io-v1alpha2-jobset"
)

// webhookServer catches the handlers that JobSet registers, and serves nothing.
type webhookServer struct {
	webhook.Server
	hooks map[string]*admission.Webhook
}

func (s webhookServer) Register(path string, hook http.Handler) {
	if h, ok := hook.(*admission.Webhook); ok {
		s.hooks[path] = h
	}
}

func (webhookServer) WebhookMux() *http.ServeMux { return http.NewServeMux() }

// webhookManager is as much of a manager as registering a webhook takes.
type webhookManager struct {
	manager.Manager
	client client.Client
	server webhookServer
}

func (m webhookManager) GetClient() client.Client         { return m.client }
func (m webhookManager) GetScheme() *runtime.Scheme       { return m.client.Scheme() }
func (m webhookManager) GetConfig() *rest.Config          { return &rest.Config{} }
func (m webhookManager) GetLogger() logr.Logger           { return logr.Discard() }
func (m webhookManager) GetWebhookServer() webhook.Server { return m.server }

// newWebhook returns JobSet's webhook as the API server would call it.
func newWebhook(scheme *runtime.Scheme) (map[string]*admission.Webhook, error) {
	m := webhookManager{
		client: &cluster{scheme: scheme},
		server: webhookServer{hooks: map[string]*admission.Webhook{}},
	}
	if err := webhooks.Setup(m); err != nil {
		return nil, fmt.Errorf("set up JobSet's webhook: %w", err)
	}
	return m.server.hooks, nil
}

// withDefaults is the JobSet as JobSet's webhook would change it on create.
func (j *Judge) withDefaults(ctx context.Context, js *jobset.JobSet) (*jobset.JobSet, error) {
	request, err := createRequest(js)
	if err != nil {
		return nil, err
	}
	answer := j.hooks[defaultPath].Handle(ctx, request)
	if !answer.Allowed {
		return nil, fmt.Errorf("default JobSet: %s", answer.Result.Message)
	}
	operations, err := json.Marshal(answer.Patches)
	if err != nil {
		return nil, err
	}
	patch, err := jsonpatch.DecodePatch(operations)
	if err != nil {
		return nil, err
	}
	raw, err := patch.Apply(request.Object.Raw)
	if err != nil {
		return nil, err
	}
	settled := &jobset.JobSet{}
	return settled, json.Unmarshal(raw, settled)
}

// webhookRefusals asks JobSet's webhook about a JobSet that has its defaults.
func (j *Judge) webhookRefusals(ctx context.Context, js *jobset.JobSet) ([]Refusal, error) {
	request, err := createRequest(js)
	if err != nil {
		return nil, err
	}
	answer := j.hooks[validatePath].Handle(ctx, request)
	if answer.Allowed {
		return nil, nil
	}
	if answer.Result.Details == nil {
		return nil, fmt.Errorf("validate JobSet: %s", answer.Result.Message)
	}
	var refusals []Refusal
	for _, cause := range answer.Result.Details.Causes {
		refusals = append(refusals, Refusal{Field: webhookField(cause.Field, cause.Message), Message: cause.Message})
	}
	return refusals, nil
}

func createRequest(js *jobset.JobSet) (admission.Request, error) {
	raw, err := json.Marshal(js)
	return admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{
		Operation: admissionv1.Create,
		Object:    runtime.RawExtension{Raw: raw},
	}}, err
}
