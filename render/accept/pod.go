// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/utils/ptr"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/finding"
)

// defaultGracePeriod is how long a pod has to stop, in seconds.
const defaultGracePeriod = 30

// pod is a pod template, with what its containers may name.
type pod struct {
	spec        *corev1.PodSpec
	labels      map[string]string
	annotations map[string]string
	volumes     map[string]corev1.VolumeSource // those that JobSet adds for its claims too
	claims      names                          // resource claims
	hostUsers   bool                           // the pod's users are the node's
	gracePeriod int64                          // seconds
}

// newPod reads the pod template of a job.
func newPod(j job) pod {
	template := &j.Template.Spec.Template
	spec := &template.Spec
	p := pod{
		spec:        spec,
		labels:      template.Labels,
		annotations: template.Annotations,
		volumes:     map[string]corev1.VolumeSource{},
		claims:      names{},
		hostUsers:   ptr.Deref(spec.HostUsers, true),
		gracePeriod: ptr.Deref(spec.TerminationGracePeriodSeconds, defaultGracePeriod),
	}
	for _, v := range spec.Volumes {
		p.volumes[v.Name] = v.VolumeSource
	}
	for _, claim := range claimTemplates(j.set) {
		if mounts(spec, claim.Name) {
			p.volumes[claim.Name] = corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{}}
		}
	}
	for _, claim := range spec.ResourceClaims {
		p.claims[claim.Name] = true
	}
	return p
}

// checkPod asks what the Pod API asks of a pod.
func checkPod(s spot, j job) {
	p := newPod(j)
	meta := s.at("metadata")
	checkMetadata(meta, p.labels, p.annotations)
	checkPodFinalizers(meta.at("finalizers").under(finding.LabelValue), j.Template.Spec.Template.Finalizers)
	checkPodAnnotations(meta.at("annotations"), p)
	checkTopology(meta.at("annotations").under(finding.LabelValue), p.annotations)
	spec := s.at("spec").opened()
	checkProfileMarks(spec, p)
	checkVolumes(spec.at("volumes").under(finding.PodVolume), p)
	checkResourceClaims(spec.at("resourceClaims").under(finding.PodResources), p.spec.ResourceClaims)
	p.checkContainers(spec)
	checkPodResources(spec, p.spec)
	checkPodSecurity(spec.under(finding.PodSecurity), p)
	checkScheduling(spec.under(finding.PodScheduling), p)
	checkPodNetwork(spec.under(finding.PodNetwork), j)
	checkPodFields(spec.under(finding.PodField), p.spec)
}

func checkPodFields(s spot, spec *corev1.PodSpec) {
	if d := spec.ActiveDeadlineSeconds; d != nil {
		s.at("activeDeadlineSeconds").within(*d, 1, 1<<31-1)
	}
	for i, gate := range spec.ReadinessGates {
		s.at("readinessGates").index(i).at("conditionType").refuseIf(isKey(string(gate.ConditionType)), string(gate.ConditionType))
	}
	if spec.ServiceAccountName != "" {
		refuseObjectName(s.at("serviceAccountName"), &spec.ServiceAccountName)
	} else if spec.DeprecatedServiceAccount != "" {
		refuseObjectName(s.at("serviceAccount"), &spec.DeprecatedServiceAccount)
	}
	if len(spec.EphemeralContainers) > 0 {
		s.at("ephemeralContainers").refuse("a template may have none; they are for pods that run")
	}
}

func checkFinalizers(s spot, finalizers []string) {
	for i, f := range finalizers {
		s.index(i).refuseAll(apivalidation.ValidateFinalizerName(f, here))
	}
}

// checkPodFinalizers: a pod takes only finalizers that name their domain.
func checkPodFinalizers(s spot, finalizers []string) {
	checkFinalizers(s, finalizers)
	for i, f := range finalizers {
		if !strings.Contains(f, "/") && !slices.Contains(standardFinalizers, f) {
			s.index(i).refuse("%q must name its domain, as in example.com/%s", f, f)
		}
	}
}

var standardFinalizers = []string{"kubernetes", "orphan", "foregroundDeletion"}

// containers are those of a pod in the order that they start, each with its
// place.
func containers(spec *corev1.PodSpec, s spot) func(yield func(spot, *corev1.Container) bool) {
	return func(yield func(spot, *corev1.Container) bool) {
		for i := range spec.InitContainers {
			if !yield(s.at("initContainers").index(i), &spec.InitContainers[i]) {
				return
			}
		}
		for i := range spec.Containers {
			if !yield(s.at("containers").index(i), &spec.Containers[i]) {
				return
			}
		}
	}
}

func hasContainer(spec *corev1.PodSpec, name string) bool {
	for _, c := range containers(spec, spot{}) {
		if c.Name == name {
			return true
		}
	}
	return false
}

// mounts reports whether a container of the pod mounts the volume.
func mounts(spec *corev1.PodSpec, volume string) bool {
	for _, c := range containers(spec, spot{}) {
		if slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.Name == volume }) {
			return true
		}
	}
	return false
}

// dnsIsSet reports whether JobSet gives the pods their subdomain.
func dnsIsSet(js *jobset.JobSet) bool {
	n := js.Spec.Network
	return n == nil || n.EnableDNSHostnames == nil || *n.EnableDNSHostnames
}
