// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/policy"
)

// defaulted writes out what JobSet's webhook and its CRD would fill in on
// creation, so that what is in git is what runs. Source: JobSet v0.12.0.
// It is the last step and fills in a copy, so that the JobSet shares no memory
// with what it was made from.
func defaulted(j policy.Job) policy.Job {
	spec := j.Spec.DeepCopy()
	if spec.SuccessPolicy == nil {
		spec.SuccessPolicy = &jobset.SuccessPolicy{Operator: jobset.OperatorAll}
	}
	if spec.StartupPolicy == nil {
		spec.StartupPolicy = &jobset.StartupPolicy{StartupPolicyOrder: jobset.AnyOrder}
	}
	if spec.Network == nil {
		spec.Network = &jobset.Network{}
	}
	orDefault(&spec.Network.EnableDNSHostnames, true)
	orDefault(&spec.Network.PublishNotReadyAddresses, true)
	defaultFailurePolicy(spec.FailurePolicy)
	for i := range spec.VolumeClaimPolicies {
		orDefault(&spec.VolumeClaimPolicies[i].RetentionPolicy, jobset.VolumeRetentionPolicy{})
		orDefault(&spec.VolumeClaimPolicies[i].RetentionPolicy.WhenDeleted, jobset.RetentionPolicyDelete)
	}
	for i := range spec.ReplicatedJobs {
		defaultJob(&spec.ReplicatedJobs[i])
	}
	j.Spec = *spec
	return j
}

func defaultFailurePolicy(p *jobset.FailurePolicy) {
	if p == nil {
		return
	}
	if p.RestartStrategy == "" {
		p.RestartStrategy = jobset.Recreate
	}
	for i := range p.Rules {
		if p.Rules[i].Name == "" {
			p.Rules[i].Name = fmt.Sprintf("failurePolicyRule%d", i)
		}
	}
}

func defaultJob(r *jobset.ReplicatedJob) {
	if r.GroupName == "" {
		r.GroupName = "default"
	}
	r.Replicas = max(r.Replicas, 1)
	orDefault(&r.Template.Spec.CompletionMode, batchv1.IndexedCompletion)
	pod := &r.Template.Spec.Template.Spec
	if pod.RestartPolicy == "" {
		pod.RestartPolicy = corev1.RestartPolicyOnFailure
	}
	for i := range pod.Containers {
		defaultContainer(&pod.Containers[i])
	}
	for i := range pod.InitContainers {
		defaultContainer(&pod.InitContainers[i])
	}
	for i := range pod.Volumes {
		defaultVolume(&pod.Volumes[i].VolumeSource)
	}
}

func defaultContainer(c *corev1.Container) {
	for i := range c.Ports {
		if c.Ports[i].Protocol == "" {
			c.Ports[i].Protocol = corev1.ProtocolTCP
		}
	}
	for i := range c.Env {
		if from := c.Env[i].ValueFrom; from != nil && from.FileKeyRef != nil {
			orDefault(&from.FileKeyRef.Optional, false)
		}
	}
	for _, probe := range []*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
		if probe != nil && probe.GRPC != nil {
			orDefault(&probe.GRPC.Service, "")
		}
	}
}

// defaultVolume fills in what the types of volumes nobody should use any more
// have as defaults in the CRD.
func defaultVolume(v *corev1.VolumeSource) {
	if v.AzureDisk != nil {
		orDefault(&v.AzureDisk.FSType, "ext4")
		orDefault(&v.AzureDisk.ReadOnly, false)
	}
	if v.ISCSI != nil {
		orEmpty(&v.ISCSI.ISCSIInterface, "default")
	}
	if v.RBD != nil {
		orEmpty(&v.RBD.Keyring, "/etc/ceph/keyring")
		orEmpty(&v.RBD.RBDPool, "rbd")
		orEmpty(&v.RBD.RadosUser, "admin")
	}
	if v.ScaleIO != nil {
		orEmpty(&v.ScaleIO.FSType, "xfs")
		orEmpty(&v.ScaleIO.StorageMode, "ThinProvisioned")
	}
}

func orEmpty(field *string, value string) {
	if *field == "" {
		*field = value
	}
}
