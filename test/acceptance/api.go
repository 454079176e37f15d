// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"context"
	"fmt"
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install" // the Job API's defaults
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install" // the Pod API's defaults
	"k8s.io/kubernetes/pkg/capabilities"
	jobs "k8s.io/kubernetes/pkg/registry/batch/job"
	claims "k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	pods "k8s.io/kubernetes/pkg/registry/core/pod"
)

const uid = "00000000-0000-0000-0000-000000000000"

// allowPrivileged is what every cluster's API server is started with.
func allowPrivileged() {
	capabilities.Initialize(capabilities.Capabilities{AllowPrivileged: true})
}

// create takes an object through defaulting, preparation and validation, as the
// API server does, and writes what became of it to internal.
func create(ctx context.Context, obj, internal runtime.Object, strategy rest.RESTCreateStrategy) (errs field.ErrorList, err error) {
	defer func() {
		// The API server answers a panic with an error: the object is refused.
		if p := recover(); p != nil {
			errs = append(errs, field.InternalError(nil, fmt.Errorf("panic: %v", p)))
		}
	}()
	legacyscheme.Scheme.Default(obj)
	if err := legacyscheme.Scheme.Convert(obj, internal, nil); err != nil {
		return nil, err
	}
	strategy.PrepareForCreate(ctx, internal)
	return strategy.Validate(ctx, internal), nil
}

// createJob asks the Job API about a Job, and the Pod API about its first pod.
func createJob(ctx context.Context, job *batchv1.Job) (ofJob, ofPod field.ErrorList, err error) {
	job.UID = uid
	internal := &batch.Job{}
	ofJob, err = create(ctx, job, internal, jobs.Strategy)
	if err != nil {
		return nil, nil, fmt.Errorf("create Job %s: %w", job.Name, err)
	}
	stored := &batchv1.Job{}
	if err := legacyscheme.Scheme.Convert(internal, stored, nil); err != nil {
		return nil, nil, err
	}
	ofPod, err = create(ctx, firstPod(stored), &core.Pod{}, pods.Strategy)
	return ofJob, ofPod, err
}

// firstPod is the pod that the Job controller makes first.
func firstPod(job *batchv1.Job) *corev1.Pod {
	template := job.Spec.Template.DeepCopy()
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name:        job.Name + "-abcde",
			Namespace:   job.Namespace,
			Labels:      template.Labels,
			Annotations: template.Annotations,
			Finalizers:  append(template.Finalizers, batchv1.JobTrackingFinalizer),
		},
		Spec: template.Spec,
	}
	if job.Spec.CompletionMode != nil && *job.Spec.CompletionMode == batchv1.IndexedCompletion {
		pod.Name = job.Name + "-0-abcde"
		pod.Spec.Hostname = job.Name + "-0"
		metav1.SetMetaDataLabel(&pod.ObjectMeta, batchv1.JobCompletionIndexAnnotation, strconv.Itoa(0))
		metav1.SetMetaDataAnnotation(&pod.ObjectMeta, batchv1.JobCompletionIndexAnnotation, strconv.Itoa(0))
	}
	if pod.Spec.ServiceAccountName == "" {
		// The ServiceAccount admission plugin stands before validation.
		pod.Spec.ServiceAccountName = "default"
	}
	return pod
}

// createClaim asks the API about a claim.
func createClaim(ctx context.Context, claim *corev1.PersistentVolumeClaim) (field.ErrorList, error) {
	return create(ctx, claim, &core.PersistentVolumeClaim{}, claims.Strategy)
}
