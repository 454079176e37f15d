// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package difference

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// The changes of what the Trainer made in the containers.

// resourcesKept: resourcesPerNode is applied without an mlPolicy too.
func resourcesKept(m *Made) bool {
	return m.Given.Runtime.MLPolicy == nil && eachJob(m, func(template, made *jobset.ReplicatedJob) bool {
		return takeResources(m, template, made, false)
	})
}

// claimsKept: resource claims stay when resourcesPerNode is set.
func claimsKept(m *Made) bool {
	return eachJob(m, func(template, made *jobset.ReplicatedJob) bool {
		return takeResources(m, template, made, true)
	})
}

func takeResources(m *Made, template, made *jobset.ReplicatedJob, claims bool) bool {
	if asked(&m.Given) == nil || !takesResources(&m.Given, *template) {
		return false
	}
	resources, found := nodeResources(&m.Given, template)
	if !found {
		return false
	}
	into := &container(made, node).Resources
	if !claims {
		resources.Claims = into.Claims
	}
	if written(resources) == written(*into) {
		return false
	}
	*into = resources
	return true
}

// written is how resources are spelt: 1 and 1e0 are the same quantity.
func written(r corev1.ResourceRequirements) string {
	text, err := json.Marshal(r)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// portsKept: a port that the runtime has stays as it is, and the framework's
// is added where the number is not there.
func portsKept(m *Made) bool {
	return eachJob(m, func(template, made *jobset.ReplicatedJob) bool {
		changed := false
		for _, lists := range [][2][]corev1.Container{{pod(template).Containers, pod(made).Containers}, {pod(template).InitContainers, pod(made).InitContainers}} {
			for i := range lists[0] {
				changed = keepPorts(lists[0][i].Ports, &lists[1][i].Ports, wired(m, template, lists[0][i].Name, i)) || changed
			}
		}
		return changed
	})
}

// frameworkPort is where the first training node listens.
const frameworkPort = 29500

// wired: the framework listens in this container.
func wired(m *Made, job *jobset.ReplicatedJob, name string, _ int) bool {
	p := policy(&m.Given)
	first := trainerJob(m.Given.Template.ReplicatedJobs)
	return name == node && first != nil && first.Name == job.Name && (p.Torch != nil || p.JAX != nil || p.XGBoost != nil)
}

func keepPorts(template []corev1.ContainerPort, made *[]corev1.ContainerPort, wired bool) bool {
	want := slices.Clone(template)
	for i := range want {
		if want[i].Protocol == "" {
			want[i].Protocol = corev1.ProtocolTCP
		}
	}
	there := slices.ContainsFunc(want, func(p corev1.ContainerPort) bool { return p.ContainerPort == frameworkPort })
	if wired && !there {
		want = append(want, corev1.ContainerPort{ContainerPort: frameworkPort, Protocol: corev1.ProtocolTCP})
	}
	if equality.Semantic.DeepEqual(want, *made) {
		return false
	}
	*made = want
	return true
}

// addressVars hold the address of the first training node.
var addressVars = []string{"PET_MASTER_ADDR", "JAX_COORDINATOR_ADDRESS", "DMLC_TRACKER_URI"}

// addresses are those that the JobSet's pods have: under the trainer job's own
// name and the JobSet's own subdomain.
func addresses(m *Made) bool {
	name := m.JobSet.Name
	was := fmt.Sprintf("%s-node-0-0.%s", name, name)
	is := fmt.Sprintf("%s-%s-0-0.%s", name, leader(m), subdomain(m.JobSet))
	changed := false
	for i := range m.JobSet.Spec.ReplicatedJobs {
		pod := pod(&m.JobSet.Spec.ReplicatedJobs[i])
		for _, c := range slices.Concat(pointers(pod.Containers), pointers(pod.InitContainers)) {
			changed = readdressed(m, c, was, is) || changed
		}
	}
	return changed
}

func readdressed(m *Made, c *corev1.Container, was, is string) bool {
	changed := false
	for i := range c.Env {
		e := &c.Env[i]
		own := m.Given.Job.Spec.Trainer != nil && slices.ContainsFunc(m.Given.Job.Spec.Trainer.Env, func(u corev1.EnvVar) bool { return u.Name == e.Name })
		if slices.Contains(addressVars, e.Name) && !own && strings.HasPrefix(e.Value, was) {
			changed = set(&e.Value, is+strings.TrimPrefix(e.Value, was)) || changed
		}
	}
	const rendezvous = "--rdzv_endpoint="
	if tunes(&m.Given) && len(c.Command) > 2 && strings.HasPrefix(c.Command[2], rendezvous+was) {
		changed = set(&c.Command[2], rendezvous+is+strings.TrimPrefix(c.Command[2], rendezvous+was)) || changed
	}
	return changed
}

func leader(m *Made) string {
	if r := trainerJob(m.Given.Template.ReplicatedJobs); r != nil {
		return r.Name
	}
	return node
}

func subdomain(js *jobset.JobSet) string {
	if n := js.Spec.Network; n != nil && n.Subdomain != "" {
		return n.Subdomain
	}
	return js.Name
}

func pointers[T any](list []T) []*T {
	var all []*T
	for i := range list {
		all = append(all, &list[i])
	}
	return all
}

// sourcesKept: all that a variable's source says is kept.
func sourcesKept(m *Made) bool {
	changed := false
	for i := range m.JobSet.Spec.ReplicatedJobs {
		r := &m.JobSet.Spec.ReplicatedJobs[i]
		if t := m.Given.Job.Spec.Trainer; t != nil && takesResources(&m.Given, *r) {
			changed = keepSources(container(r, node), t.Env) || changed
		}
		in := m.Given.Job.Spec.Initializer
		if in != nil && in.Dataset != nil && r.Template.Labels[ancestor] == "dataset-initializer" {
			changed = keepSources(container(r, "dataset-initializer"), in.Dataset.Env) || changed
		}
		if in != nil && in.Model != nil && r.Template.Labels[ancestor] == "model-initializer" {
			changed = keepSources(container(r, "model-initializer"), in.Model.Env) || changed
		}
	}
	return changed
}

func keepSources(c *corev1.Container, written []corev1.EnvVar) bool {
	if c == nil {
		return false
	}
	changed := false
	for _, e := range written {
		from := e.ValueFrom
		lost := from != nil && (from.FileKeyRef != nil || from.FieldRef != nil && from.FieldRef.APIVersion != "")
		made := find(c.Env, func(m corev1.EnvVar) bool { return m.Name == e.Name })
		if lost && made != nil {
			made.ValueFrom, changed = from.DeepCopy(), true
		}
	}
	return changed
}

// countedInFull: the Trainer's number runs over.
func countedInFull(m *Made) bool {
	return workersCounted(m) || processesCounted(m) || slotsCounted(m)
}

// slotsCounted: MPI starts a process for each GPU of a node, of whichever job.
func slotsCounted(m *Made) bool {
	changed := false
	for _, job := range m.Given.Template.ReplicatedJobs {
		if gpus := gpusOf(&m.Given, &job); policy(&m.Given).MPI != nil && gpus > math.MaxInt32 {
			changed = replaced(m, fmt.Sprint(int32(gpus)), fmt.Sprint(gpus)) || changed //nolint:gosec // as the Trainer does
		}
	}
	return changed
}

// replaced corrects the slots of the hostfile, and those that Open MPI takes
// for a host without any.
func replaced(m *Made, slots, with string) bool {
	changed := false
	for _, beside := range m.Beside {
		data, _ := beside["data"].(object)
		if hosts, _ := data["hostfile"].(string); strings.Contains(hosts, "slots="+slots+"\n") {
			data["hostfile"] = strings.ReplaceAll(hosts, "slots="+slots+"\n", "slots="+with+"\n")
			changed = true
		}
	}
	for _, job := range m.JobSet.Spec.ReplicatedJobs {
		for _, c := range pod(&job).Containers {
			usual := find(c.Env, func(e corev1.EnvVar) bool { return strings.HasSuffix(e.Name, "set_default_slots") && e.Value == slots })
			changed = usual != nil && set(&usual.Value, with) || changed
		}
	}
	return changed
}

// processesCounted: Torch starts one for each CPU.
func processesCounted(m *Made) bool {
	resources, _ := nodeResources(&m.Given, trainerJob(m.Given.Template.ReplicatedJobs))
	cpus := resources.Requests.Cpu().Value()
	if cpus == 0 {
		cpus = resources.Limits.Cpu().Value()
	}
	if policy(&m.Given).Torch == nil || cpus <= math.MaxInt32 {
		return false
	}
	overrun := strconv.Itoa(int(int32(cpus))) //nolint:gosec // as the Trainer does
	changed := false
	for _, job := range m.JobSet.Spec.ReplicatedJobs {
		for _, c := range slices.Concat(pod(&job).Containers, pod(&job).InitContainers) {
			processes := find(c.Env, func(e corev1.EnvVar) bool { return e.Name == "PET_NPROC_PER_NODE" && e.Value == overrun })
			changed = processes != nil && set(&processes.Value, strconv.FormatInt(cpus, 10)) || changed
		}
	}
	return changed
}

func workersCounted(m *Made) bool {
	job := trainerJob(m.JobSet.Spec.ReplicatedJobs)
	c := container(job, node)
	if policy(&m.Given).XGBoost == nil || c == nil {
		return false
	}
	workers := find(c.Env, func(e corev1.EnvVar) bool { return e.Name == "DMLC_NUM_WORKER" })
	n := int64(*job.Template.Spec.Parallelism) * max(gpusCounted(&m.Given), 1)
	if workers == nil || n <= math.MaxInt32 {
		return false
	}
	return set(&workers.Value, strconv.FormatInt(n, 10))
}

// gpusCounted are those of one node.
func gpusCounted(g *Given) int64 {
	return gpusOf(g, trainerJob(g.Template.ReplicatedJobs))
}

// gpusOf are those of a job's container "node", under whatever names.
func gpusOf(g *Given, job *jobset.ReplicatedJob) int64 {
	resources, _ := nodeResources(g, job)
	for _, list := range []corev1.ResourceList{resources.DeepCopy().Requests, resources.DeepCopy().Limits} {
		oneGPUName(g, list)
		for _, name := range gpuNames(list) {
			if n := list[name]; n.Value() > 0 {
				return n.Value()
			}
		}
	}
	return 0
}
