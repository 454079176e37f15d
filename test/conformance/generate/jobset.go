// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package generate

// part is a replicated job: its name, the step it plays, its main container.
type part struct{ name, step, container string }

var (
	trainerPart  = part{node, "trainer", node}
	workerPart   = part{node, "", node}
	launcherPart = part{launcher, "trainer", node}
	datasetPart  = part{dataset, dataset, dataset}
	modelPart    = part{model, model, model}
)

// layout chooses the jobs of a template.
func (d dice) layout(policy string) []part {
	var parts []part
	if d.percent(25) {
		parts = some(d, 70, datasetPart, modelPart)
	}
	switch {
	case policy == "mpi" && d.percent(80):
		parts = append(parts, pick(d, []part{launcherPart, workerPart}, []part{workerPart, launcherPart}, []part{launcherPart}, []part{{launcher, "", launcher}, trainerPart})...)
	case d.percent(80):
		parts = append(parts, trainerPart)
	default:
		parts = append(parts, pick(d, part{"worker", "trainer", node}, part{node, "", node}, part{"main", "", "main"}, part{"trainer", "trainer", node}))
	}
	for _, extra := range []part{{"ps", "", "ps"}, {"eval", "", node}, {"second", "trainer", node}} {
		if d.percent(7) {
			parts = append(parts, extra)
		}
	}
	if d.percent(10) {
		d.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	}
	return parts
}

// jobSet is the template's spec.
func (d dice) jobSet(r *madeRuntime, mlPolicy object) object {
	jobs := list{}
	for i, p := range d.layout(r.policy) {
		job := d.job(p)
		if i > 0 && d.percent(30) {
			job["dependsOn"] = list{object{"name": pick(d, r.jobs...), "status": pick(d, "Ready", "Complete")}}
		}
		r.jobs = append(r.jobs, p.name)
		jobs = append(jobs, job)
	}
	if r.policy == "torch" && d.percent(25) {
		mlPolicy["torch"] = object{"envInjection": d.envInjection(jobs)}
	}
	spec := object{"replicatedJobs": jobs}
	d.jobSetFields(spec, r.jobs)
	return spec
}

func (d dice) jobSetFields(spec object, jobs []string) {
	d.maybe(10, spec, "network", d.network)
	d.maybe(10, spec, "successPolicy", func() any {
		return object{"operator": pick(d, "All", "Any"), "targetReplicatedJobs": list{pick(d, jobs...)}}
	})
	d.maybe(10, spec, "failurePolicy", func() any { return d.failurePolicy(jobs) })
	d.maybe(4, spec, "startupPolicy", func() any { return object{"startupPolicyOrder": pick(d, "AnyOrder", "InOrder")} })
	d.maybe(6, spec, "ttlSecondsAfterFinished", d.seconds)
	d.maybe(5, spec, "suspend", func() any { return d.one(2) })
	d.maybe(3, spec, "managedBy", func() any { return "kueue.x-k8s.io/multikueue" })
	d.maybe(3, spec, "coordinator", func() any { return object{"replicatedJob": pick(d, jobs...)} })
}

func (d dice) network() any {
	n := object{}
	d.maybe(60, n, "subdomain", func() any { return pick(d, "net", "my-net", "Bad_Net") })
	d.maybe(50, n, "enableDNSHostnames", func() any { return d.one(2) })
	d.maybe(50, n, "publishNotReadyAddresses", func() any { return d.one(2) })
	return n
}

func (d dice) failurePolicy(jobs []string) any {
	p := object{}
	d.maybe(60, p, "maxRestarts", d.count)
	d.maybe(30, p, "restartStrategy", func() any { return pick(d, "Recreate", "BlockingRecreate") })
	d.maybe(40, p, "rules", func() any {
		rule := object{"name": pick(d, "rule", "other"), "action": pick(d, "FailJobSet", "RestartJobSet", "RestartJobSetAndIgnoreMaxRestarts")}
		d.maybe(50, rule, "onJobFailureReasons", func() any { return list{"PodFailurePolicy"} })
		d.maybe(50, rule, "targetReplicatedJobs", func() any { return list{pick(d, jobs...)} })
		return list{rule}
	})
	return p
}

// job is one replicated job.
func (d dice) job(p part) object {
	pod := object{"spec": d.pod(p.container)}
	d.maybe(12, pod, "metadata", func() any { return d.metadata() })
	spec := object{"template": pod}
	d.maybe(20, spec, "parallelism", d.count)
	if spec["parallelism"] != nil && d.one(2) {
		spec["completions"] = spec["parallelism"]
	}
	d.maybe(12, spec, "backoffLimit", func() any { return pick[any](d, int64(0), int64(3)) })
	d.maybe(6, spec, "activeDeadlineSeconds", d.seconds)
	d.maybe(5, spec, "ttlSecondsAfterFinished", d.seconds)
	d.maybe(4, spec, "completionMode", func() any { return pick(d, "Indexed", "NonIndexed") })
	template := object{"spec": spec}
	metadata := object{}
	if d.percent(12) {
		metadata = d.metadata()
	}
	if p.step != "" {
		labels, _ := metadata["labels"].(object)
		if labels == nil {
			labels = object{}
		}
		labels[ancestor] = p.step
		metadata["labels"] = labels
	}
	if len(metadata) > 0 {
		template["metadata"] = metadata
	}
	job := object{"name": p.name, "template": template}
	d.maybe(10, job, "replicas", func() any { return d.replicas(p) })
	d.maybe(4, job, "groupName", func() any { return pick(d, "default", "g1") })
	return job
}

// replicas of a job that plays a step must be 1.
func (d dice) replicas(p part) any {
	if p.step != "" && d.percent(85) {
		return int64(1)
	}
	return pick[any](d, int64(0), int64(1), int64(2), int64(3))
}
