// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// Layer is what one policy adds. It is data: it names jobs and containers, it
// never holds them.
type Layer struct {
	Jobs       map[string]JobLayer // by replicated job
	Companions []runtime.Object
}

// JobLayer is what a layer adds to one replicated job.
type JobLayer struct {
	Pods        *int32 // parallelism and completions; nil: leave
	Replicas    *int32 // nil: leave
	PodMetadata Metadata
	Volumes     []corev1.Volume
	Containers  map[string]ContainerLayer // by name, among the containers, then among the init containers
}

// ContainerLayer is what a layer adds to one container.
type ContainerLayer struct {
	Image         *string  // nil: leave
	Command, Args []string // nil: leave; empty: clear
	Resources     *corev1.ResourceRequirements
	Env           []corev1.EnvVar
	EnvFrom       []corev1.EnvFromSource
	Ports         []corev1.ContainerPort
	VolumeMounts  []corev1.VolumeMount
}

// With is the job with the layer on top; j is unchanged.
//
// Of env, volumes and volume mounts an entry with the same key is replaced
// whole, in its place, and a new one is appended. A port that is there already
// (the same number, or a name that both have) stays as it is. envFrom is
// appended. Of labels and annotations the layer's win.
func (j Job) With(layer Layer) Job {
	j.Companions = slices.Concat(j.Companions, layer.Companions)
	if len(layer.Jobs) == 0 {
		return j
	}
	j.Spec.ReplicatedJobs = slices.Clone(j.Spec.ReplicatedJobs)
	for i, r := range j.Spec.ReplicatedJobs {
		if l, ok := layer.Jobs[r.Name]; ok {
			j.Spec.ReplicatedJobs[i] = layJob(r, l)
		}
	}
	return j
}

func layJob(r jobset.ReplicatedJob, l JobLayer) jobset.ReplicatedJob {
	job, pod := &r.Template.Spec, &r.Template.Spec.Template
	if l.Pods != nil {
		job.Parallelism, job.Completions = new(*l.Pods), new(*l.Pods)
	}
	if l.Replicas != nil {
		r.Replicas = *l.Replicas
	}
	pod.Labels = Overlay(pod.Labels, l.PodMetadata.Labels)
	pod.Annotations = Overlay(pod.Annotations, l.PodMetadata.Annotations)
	pod.Spec.Volumes = upsert(pod.Spec.Volumes, l.Volumes, sameVolume)
	for name, c := range l.Containers {
		pod.Spec.Containers, pod.Spec.InitContainers = layContainer(pod.Spec.Containers, pod.Spec.InitContainers, name, c)
	}
	return r
}

// layContainer lays the layer on the first container of that name and returns
// both lists, of which it has copied the one that it changed.
func layContainer(containers, inits []corev1.Container, name string, l ContainerLayer) (c, i []corev1.Container) {
	named := func(c corev1.Container) bool { return c.Name == name }
	if at := slices.IndexFunc(containers, named); at >= 0 {
		containers = slices.Clone(containers)
		containers[at] = l.on(containers[at])
	} else if at := slices.IndexFunc(inits, named); at >= 0 {
		inits = slices.Clone(inits)
		inits[at] = l.on(inits[at])
	}
	return containers, inits
}

func (l ContainerLayer) on(c corev1.Container) corev1.Container {
	if l.Image != nil {
		c.Image = *l.Image
	}
	if l.Command != nil {
		c.Command = slices.Clone(l.Command)
	}
	if l.Args != nil {
		c.Args = slices.Clone(l.Args)
	}
	if l.Resources != nil {
		c.Resources = *l.Resources
	}
	c.Env = upsert(c.Env, l.Env, sameEnv)
	c.EnvFrom = slices.Concat(c.EnvFrom, l.EnvFrom)
	c.Ports = addPorts(c.Ports, l.Ports)
	c.VolumeMounts = upsert(c.VolumeMounts, l.VolumeMounts, sameMount)
	return c
}

func sameEnv(a, b corev1.EnvVar) bool        { return a.Name == b.Name }
func sameVolume(a, b corev1.Volume) bool     { return a.Name == b.Name }
func sameMount(a, b corev1.VolumeMount) bool { return a.MountPath == b.MountPath }
func samePort(a, b corev1.ContainerPort) bool {
	return a.ContainerPort == b.ContainerPort || a.Name != "" && a.Name == b.Name
}

// upsert replaces in place the first of list that is the same, else appends.
func upsert[T any](list, more []T, same func(a, b T) bool) []T {
	if len(more) == 0 {
		return list
	}
	list = slices.Clone(list)
	for _, item := range more {
		at := slices.IndexFunc(list, func(there T) bool { return same(there, item) })
		if at < 0 {
			list = append(list, item)
		} else {
			list[at] = item
		}
	}
	return list
}

func addPorts(ports, more []corev1.ContainerPort) []corev1.ContainerPort {
	for _, port := range more {
		if !slices.ContainsFunc(ports, func(there corev1.ContainerPort) bool { return samePort(there, port) }) {
			ports = append(slices.Clone(ports), port)
		}
	}
	return ports
}

// Overlay is under with over's keys on top: a new map, or under itself where
// nothing is over it.
func Overlay[M ~map[K]V, K comparable, V any](under, over M) M {
	if len(over) == 0 {
		return under
	}
	sum := make(M, len(under)+len(over))
	maps.Copy(sum, under)
	maps.Copy(sum, over)
	return sum
}
