// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package generate

import "slices"

// madeRuntime is a runtime, and what a TrainJob should know of it.
type madeRuntime struct {
	written    object // nil: it is built in
	kind, name string
	policy     string   // the framework's
	jobs       []string // names of the replicated jobs
	template   object   // spec.template.spec
}

func (d dice) runtime(builtin []object) madeRuntime {
	if d.percent(25) {
		return d.builtinRuntime(builtin)
	}
	r := madeRuntime{kind: "ClusterTrainingRuntime", name: pick(d, "rt", "torchtune-llama3.2-1b", "torchtune-llama3.3-70b", "my-runtime")}
	if d.percent(25) {
		r.kind = "TrainingRuntime"
	}
	spec := object{}
	mlPolicy := d.mlPolicy(&r)
	if mlPolicy != nil {
		spec["mlPolicy"] = mlPolicy
	}
	if policy := d.podGroupPolicy(); policy != nil {
		spec["podGroupPolicy"] = policy
	}
	r.template = d.jobSet(&r, mlPolicy)
	template := object{"spec": r.template}
	if d.percent(25) {
		template["metadata"] = d.metadata()
	}
	spec["template"] = template
	r.written = r.object(spec)
	if d.percent(10) {
		r.written["metadata"].(object)["labels"] = d.runtimeLabels()
	}
	if r.policy == "mpi" && d.one(30) {
		r.written["metadata"].(object)["labels"] = object{"trainer.kubeflow.org/webhook-validation": "disabled"}
		r.template["replicatedJobs"].(list)[0].(object)["replicas"] = int64(2)
	}
	return r
}

func (r madeRuntime) object(spec object) object {
	return object{
		"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": r.kind,
		"metadata": object{"name": r.name}, "spec": spec,
	}
}

func (d dice) runtimeLabels() object {
	return object{pick(d, "trainer.kubeflow.org/support", "trainer.kubeflow.org/webhook-validation", "team"): pick(d, "deprecated", "disabled")}
}

// builtinRuntime is one of the Trainer's own, or a copy of it with a change.
func (d dice) builtinRuntime(builtin []object) madeRuntime {
	original := pick(d, builtin...)
	r := madeRuntime{kind: "ClusterTrainingRuntime", name: original["metadata"].(object)["name"].(string)}
	spec := copied(original["spec"].(object))
	mlPolicy, _ := spec["mlPolicy"].(object)
	for _, framework := range frameworks {
		if _, has := mlPolicy[framework]; has {
			r.policy = framework
		}
	}
	r.template = spec["template"].(object)["spec"].(object)
	for _, job := range r.template["replicatedJobs"].(list) {
		r.jobs = append(r.jobs, job.(object)["name"].(string))
	}
	if d.percent(50) {
		return r
	}
	d.maybe(30, mlPolicy, "numNodes", d.oddCount)
	if policy := d.podGroupPolicy(); policy != nil {
		spec["podGroupPolicy"] = policy
	}
	d.maybe(30, spec["template"].(object), "metadata", func() any { return d.metadata() })
	d.jobSetFields(r.template, r.jobs)
	r.written = r.object(spec)
	return r
}

var frameworks = []string{"torch", "jax", "mpi", "xgboost", "flux"}

func (d dice) mlPolicy(r *madeRuntime) object {
	if d.percent(12) {
		return nil
	}
	p := object{}
	d.maybe(50, p, "numNodes", d.oddCount)
	r.policy = pick(d, "", "torch", "torch", "torch", "jax", "mpi", "mpi", "xgboost")
	if d.one(40) {
		r.policy = "flux"
	}
	switch r.policy {
	case "":
	case "mpi":
		p["mpi"] = d.mpi()
	case "flux":
		p["flux"] = object{"numProcPerNode": d.oddCount()}
	default:
		p[r.policy] = object{}
	}
	if d.one(50) {
		p[pick(d, frameworks...)] = object{}
	}
	return p
}

func (d dice) mpi() object {
	p := object{}
	d.maybe(40, p, "numProcPerNode", d.oddCount)
	d.maybe(40, p, "sshAuthMountPath", func() any { return pick(d, "/home/mpiuser/.ssh", "/root/.ssh", "/data") })
	d.maybe(60, p, "runLauncherAsNode", func() any { return d.percent(70) })
	d.maybe(20, p, "mpiImplementation", func() any { return pick(d, "OpenMPI", "OpenMPI", "OpenMPI", "", "Intel") })
	return p
}

func (d dice) podGroupPolicy() object {
	switch {
	case d.percent(60):
		return nil
	case d.one(2):
		p := object{"coscheduling": object{}}
		d.maybe(40, p["coscheduling"].(object), "scheduleTimeoutSeconds", d.seconds)
		d.maybe(3, p, "volcano", func() any { return object{} })
		return p
	default:
		p := object{}
		d.maybe(40, p, "networkTopology", func() any {
			t := object{}
			d.maybe(50, t, "mode", func() any { return pick(d, "hard", "soft") })
			d.maybe(50, t, "highestTierAllowed", d.count)
			return t
		})
		return object{"volcano": p}
	}
}

// envInjection names containers of the template, and now and then others.
func (d dice) envInjection(jobs list) object {
	targets := list{}
	for _, job := range some(d, 60, jobs...) {
		pod := job.(object)["template"].(object)["spec"].(object)["template"].(object)["spec"].(object)
		names := list{}
		for _, c := range slices.Concat(asList(pod["containers"]), asList(pod["initContainers"])) {
			if name := c.(object)["name"]; name != node || d.one(10) {
				names = append(names, name)
			}
		}
		if d.one(10) {
			names = append(names, "nowhere")
		}
		if len(names) > 0 {
			targets = append(targets, object{"jobName": job.(object)["name"], "containerNames": names})
		}
	}
	return object{"targets": targets}
}

func asList(v any) list {
	l, _ := v.(list)
	return l
}

func (d dice) metadata() object {
	m := object{}
	d.maybe(60, m, "labels", d.labels)
	d.maybe(60, m, "annotations", d.annotations)
	return m
}
