// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// NodeResources are those that one training node gets: the runtime's with the
// TrainJob's merged in. Under MPI with the launcher as a node they are those of
// the job "node", where the TrainJob's resources land as well.
func (j Job) NodeResources() corev1.ResourceRequirements {
	if j.LauncherIsNode() {
		if resources, ok := j.resourcesOf(Node); ok {
			return resources
		}
	}
	if r, ok := j.TrainerJob(); ok {
		if resources, ok := j.resourcesOf(r.Name); ok {
			return resources
		}
	}
	if j.Trainer.ResourcesPerNode != nil {
		return *j.Trainer.ResourcesPerNode
	}
	resources, _ := j.resourcesOf(Node)
	return resources
}

func (j Job) resourcesOf(replicatedJob string) (corev1.ResourceRequirements, bool) {
	r, ok := j.Replicated(replicatedJob)
	if !ok {
		return corev1.ResourceRequirements{}, false
	}
	c, ok := Container(Pod(r), Node)
	return c.Resources, ok
}

// HasGPU reports whether a node gets a GPU under any name.
func (j Job) HasGPU() bool {
	r := j.NodeResources()
	return len(gpuNames(r.Requests))+len(gpuNames(r.Limits)) > 0
}

// GPUsPerNode counts the GPUs of one node: the requests' or, where those name
// none, the limits'.
func (j Job) GPUsPerNode() int64 {
	r := j.NodeResources()
	if n := GPUs(r.Requests); n > 0 {
		return n
	}
	return GPUs(r.Limits)
}

// CPUsPerNode is the CPU request of one node or, where there is none, the
// limit, rounded up to whole CPUs.
func (j Job) CPUsPerNode() int64 {
	r := j.NodeResources()
	if request := r.Requests.Cpu(); !request.IsZero() {
		return request.Value()
	}
	return r.Limits.Cpu().Value()
}

// GPUNamesAmbiguous lists the resource names of a node that could be its GPUs,
// if the count had to choose among them.
func (j Job) GPUNamesAmbiguous() []corev1.ResourceName {
	r := j.NodeResources()
	names := slices.Compact(slices.Sorted(slices.Values(slices.Concat(gpuNames(r.Requests), gpuNames(r.Limits)))))
	if len(names) < 2 {
		return nil
	}
	return names
}

// GPUs sums the resources whose name ends in "/gpu", vendors' own name for a
// whole device; where there is none, the first that mentions a GPU counts.
func GPUs(list corev1.ResourceList) int64 {
	names := gpuNames(list)
	devices := slices.DeleteFunc(slices.Clone(names), func(name corev1.ResourceName) bool {
		return !strings.HasSuffix(strings.ToLower(string(name)), "/gpu")
	})
	if len(devices) == 0 && len(names) > 0 {
		devices = names[:1]
	}
	var sum int64
	for _, name := range devices {
		quantity := list[name]
		sum += quantity.Value()
	}
	return sum
}

// gpuNames are the names that mention a GPU and ask for some, in order.
func gpuNames(list corev1.ResourceList) []corev1.ResourceName {
	var names []corev1.ResourceName
	for name, quantity := range list {
		if quantity.Value() > 0 && strings.Contains(strings.ToLower(string(name)), "gpu") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
