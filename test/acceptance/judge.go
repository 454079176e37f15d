// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-logr/logr"
	batchv1 "k8s.io/api/batch/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// Judge is a cluster, as far as what it takes and refuses.
type Judge struct {
	scheme *runtime.Scheme
	crd    *crd
	hooks  map[string]*admission.Webhook
}

// Refusal is what a cluster has against one field of a JobSet.
type Refusal struct {
	Field   string // path into the JobSet
	Also    string // another that it may as well be about; empty: none
	Message string
	Echo    bool // refused only because something else is
}

// NewJudge sets up the parts of a cluster that judge.
func NewJudge() (*Judge, error) {
	allowPrivileged()
	log.SetLogger(logr.Discard())
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return nil, err
	}
	if err := jobset.AddToScheme(scheme); err != nil {
		return nil, err
	}
	crd, err := newCRD()
	if err != nil {
		return nil, err
	}
	hooks, err := newWebhook(scheme)
	return &Judge{scheme: scheme, crd: crd, hooks: hooks}, err
}

// at reports whether the refusal is about the field.
func (r Refusal) at(field string) bool {
	return samePlace(r.Field, field) || r.Also != "" && samePlace(r.Also, field)
}

// Verdict is all that a cluster would refuse of a JobSet.
type Verdict struct {
	Schema []Refusal // by JobSet's CRD, for which package schemas answers
	Rest   []Refusal // by JobSet's webhook, and of the Jobs, pods and claims made from it
}

// Verdict asks each part of the cluster in turn, whatever the others said.
func (j *Judge) Verdict(ctx context.Context, js *jobset.JobSet) (Verdict, error) {
	js = js.DeepCopy()
	js.UID = uid
	js.Namespace = cmp.Or(js.Namespace, "default")
	js, ofSchema, err := j.crd.admit(ctx, js)
	if err != nil {
		return Verdict{}, err
	}
	rest, err := j.refusals(ctx, js)
	ofName := apivalidation.ValidateObjectMeta(&js.ObjectMeta, true, apivalidation.NameIsDNSSubdomain, field.NewPath("metadata"))
	return Verdict{Schema: ofSchema, Rest: append(refusalsAt(ofName, ""), rest...)}, err
}

func (j *Judge) refusals(ctx context.Context, js *jobset.JobSet) ([]Refusal, error) {
	settled, err := j.withDefaults(ctx, js)
	if err != nil {
		return nil, err
	}
	refusals, err := j.webhookRefusals(ctx, settled)
	if err != nil {
		return nil, err
	}
	made, err := j.make(ctx, settled)
	if err != nil {
		return nil, err
	}
	for _, job := range made.jobs {
		ofJob, err := jobRefusals(ctx, settled, job)
		if err != nil {
			return nil, err
		}
		refusals = append(refusals, ofJob...)
	}
	for _, claim := range made.claims {
		errs, err := createClaim(ctx, claim)
		if err != nil {
			return nil, err
		}
		at, known := claimPath(settled, claim.Name)
		for _, r := range refusalsAt(errs, at) {
			if !known {
				r.Field = "spec.volumeClaimPolicies"
			}
			refusals = append(refusals, r)
		}
	}
	return atTheirCause(settled, refusals), nil
}

func jobRefusals(ctx context.Context, js *jobset.JobSet, job *batchv1.Job) ([]Refusal, error) {
	i := slices.IndexFunc(js.Spec.ReplicatedJobs, func(rj jobset.ReplicatedJob) bool {
		return rj.Name == job.Labels[jobset.ReplicatedJobNameKey]
	})
	if i < 0 {
		return nil, fmt.Errorf("job %s belongs to no replicated job", job.Name)
	}
	ofJob, ofPod, err := createJob(ctx, job)
	at := fmt.Sprintf("spec.replicatedJobs[%d].template", i)
	refusals := append(refusalsAt(ofJob, at), refusalsAt(ofPod, at+".spec.template")...)
	return onClaims(refusals, at, &js.Spec.ReplicatedJobs[i]), err
}

// onClaims moves what is said of the volumes that JobSet adds to the claims
// that they come from.
func onClaims(refusals []Refusal, at string, rj *jobset.ReplicatedJob) []Refusal {
	given := len(rj.Template.Spec.Template.Spec.Volumes)
	for i, r := range refusals {
		var n int
		path, _ := strings.CutPrefix(r.Field, at+".spec.template.spec.volumes")
		if _, err := fmt.Sscanf(path, "[%d]", &n); err == nil && n >= given {
			refusals[i].Field = "spec.volumeClaimPolicies"
		}
	}
	return refusals
}

func refusalsAt(errs field.ErrorList, at string) []Refusal {
	var refusals []Refusal
	for _, err := range errs {
		path := strings.TrimPrefix(at+"."+err.Field, ".")
		refusals = append(refusals, Refusal{Field: path, Message: err.Error()})
	}
	return refusals
}

// claimPath is the template that a claim was made from; false: one of several.
func claimPath(js *jobset.JobSet, name string) (string, bool) {
	at := "spec.volumeClaimPolicies"
	found := 0
	for i, policy := range js.Spec.VolumeClaimPolicies {
		for k, template := range policy.Templates {
			if name == template.Name+"-"+js.Name {
				at = fmt.Sprintf("spec.volumeClaimPolicies[%d].templates[%d]", i, k)
				found++
			}
		}
	}
	return at, found == 1
}
