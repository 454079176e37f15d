// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package upstream

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
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"
	jobsetwebhooks "sigs.k8s.io/jobset/pkg/webhooks"
)

// jobSetDefaults fills in what the API server and JobSet's webhook fill in
// when a JobSet is created.
type jobSetDefaults struct {
	resource *resource
	webhook  admission.Handler
}

// jobSetMutatePath is where JobSet's manager serves its defaulting webhook.
const jobSetMutatePath = "/mutate-jobset-x-k8s-io-v1alpha2-jobset"

func newJobSetDefaults(scheme *runtime.Scheme, jobSets *resource) (*jobSetDefaults, error) {
	host := &webhookHost{scheme: scheme, handlers: handlers{}}
	if err := jobsetwebhooks.Setup(host); err != nil {
		return nil, fmt.Errorf("start JobSet's webhooks: %w", err)
	}
	served, ok := host.handlers[jobSetMutatePath].(*admission.Webhook)
	if !ok {
		return nil, fmt.Errorf("start JobSet's webhooks: none at %s", jobSetMutatePath)
	}
	return &jobSetDefaults{resource: jobSets, webhook: served.Handler}, nil
}

// DefaultJobSet returns object as the cluster stores it when it is created.
func (t *Trainer) DefaultJobSet(ctx context.Context, object map[string]any) (map[string]any, error) {
	t.jobSets.resource.Default(object)
	raw, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	answer := t.jobSets.webhook.Handle(ctx, admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{
		Operation: admissionv1.Create,
		Object:    runtime.RawExtension{Raw: raw},
	}})
	if !answer.Allowed {
		return nil, fmt.Errorf("default JobSet: %s", answer.Result.Message)
	}
	return patched(raw, answer)
}

func patched(raw []byte, answer admission.Response) (map[string]any, error) {
	operations, err := json.Marshal(answer.Patches)
	if err != nil {
		return nil, err
	}
	patch, err := jsonpatch.DecodePatch(operations)
	if err != nil {
		return nil, err
	}
	if raw, err = patch.Apply(raw); err != nil {
		return nil, err
	}
	var object map[string]any
	return object, json.Unmarshal(raw, &object)
}

// webhookHost is a manager as far as a set of webhooks needs one: it catches
// their handlers.
type webhookHost struct {
	manager.Manager
	scheme   *runtime.Scheme
	handlers handlers
}

func (h *webhookHost) GetScheme() *runtime.Scheme                { return h.scheme }
func (h *webhookHost) GetConfig() *rest.Config                   { return &rest.Config{} }
func (h *webhookHost) GetClient() client.Client                  { return newClient(h.scheme) }
func (h *webhookHost) GetLogger() logr.Logger                    { return logr.Discard() }
func (h *webhookHost) GetWebhookServer() webhook.Server          { return h.handlers }
func (h *webhookHost) GetConverterRegistry() conversion.Registry { return conversion.NewRegistry() }

// handlers are a webhook server that serves nobody.
type handlers map[string]http.Handler

func (h handlers) Register(path string, handler http.Handler) { h[path] = handler }
func (handlers) NeedLeaderElection() bool                     { return false }
func (handlers) Start(context.Context) error                  { return nil }
func (handlers) StartedChecker() healthz.Checker              { return nil }
func (handlers) WebhookMux() *http.ServeMux                   { return http.NewServeMux() }
