// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package generate

// patches of one to three managers, mostly of what the runtime has.
func (d dice) patches(r madeRuntime) any {
	patches := list{}
	for _, manager := range shuffled(d, 50, "example.com/a", "kueue.x-k8s.io/manager", "b.example/c") {
		patch := object{"manager": manager}
		if d.percent(90) {
			patch["trainingRuntimeSpec"] = object{"template": d.templatePatch(r)}
		}
		d.maybe(5, patch, "time", func() any { return "2026-01-01T00:00:00Z" })
		patches = append(patches, patch)
	}
	return patches
}

func (d dice) templatePatch(r madeRuntime) object {
	t := object{}
	d.maybe(25, t, "metadata", func() any { return d.metadata() })
	jobs := list{}
	for _, job := range asList(r.template["replicatedJobs"]) {
		if d.percent(60) {
			jobs = append(jobs, d.jobPatch(job.(object)))
		}
	}
	d.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
	if d.one(30) {
		jobs = append(jobs, object{"name": "nowhere"})
	}
	if len(jobs) > 0 {
		t["spec"] = object{"replicatedJobs": jobs}
	}
	return t
}

func (d dice) jobPatch(job object) object {
	pod := job["template"].(object)["spec"].(object)["template"].(object)["spec"].(object)
	podPatch := object{"spec": d.podPatch(pod)}
	d.maybe(20, podPatch, "metadata", func() any { return d.metadata() })
	template := object{"spec": object{"template": podPatch}}
	d.maybe(15, template, "metadata", func() any { return d.metadata() })
	return object{"name": job["name"], "template": template}
}

func (d dice) podPatch(pod object) object {
	p := object{}
	d.maybe(20, p, "nodeSelector", func() any { return object{pick(d, "disk", "zone"): pick(d, "ssd", "b")} })
	d.maybe(20, p, "tolerations", d.tolerations)
	d.maybe(15, p, "affinity", d.affinity)
	d.maybe(15, p, "serviceAccountName", func() any { return "patched" })
	d.maybe(15, p, "imagePullSecrets", d.pullSecrets)
	d.maybe(15, p, "securityContext", d.podSecurity)
	d.maybe(10, p, "terminationGracePeriodSeconds", func() any { return pick[any](d, int64(0), int64(60)) })
	d.maybe(10, p, "schedulingGates", func() any { return list{object{"name": "example.com/other"}} })
	volumes := d.volumePatches(pod)
	if len(volumes) > 0 {
		p["volumes"] = volumes
	}
	d.maybe(40, p, "containers", func() any { return d.containerPatches(asList(pod["containers"]), volumes) })
	d.maybe(15, p, "initContainers", func() any { return d.containerPatches(asList(pod["initContainers"]), volumes) })
	return p
}

// volumePatches give new volumes, and old ones another source.
func (d dice) volumePatches(pod object) list {
	volumes := list{}
	for _, volume := range asList(pod["volumes"]) {
		if d.percent(15) {
			volumes = append(volumes, d.volume(volume.(object)["name"].(string)))
		}
	}
	for _, name := range some(d, 15, "extra", "scratch") {
		volumes = append(volumes, d.volume(name))
	}
	return volumes
}

func (d dice) containerPatches(containers, volumes list) list {
	patches := list{}
	for _, container := range containers {
		if !d.percent(70) {
			continue
		}
		name := container.(object)["name"].(string)
		p := object{"name": name}
		if mounts := d.mounts(name, volumes); len(mounts) > 0 {
			p["volumeMounts"] = mounts
		}
		d.maybe(20, p, "securityContext", d.containerSecurity)
		if reserved := name == node || name == dataset || name == model; !reserved || d.one(30) {
			d.maybe(60, p, "env", func() any { return d.envPatch(container.(object)) })
		}
		patches = append(patches, p)
	}
	d.Shuffle(len(patches), func(i, j int) { patches[i], patches[j] = patches[j], patches[i] })
	if d.one(30) {
		patches = append(patches, object{"name": "nowhere"})
	}
	return patches
}

// envPatch changes variables that are there, and adds others.
func (d dice) envPatch(container object) list {
	env := list{}
	for _, variable := range asList(container["env"]) {
		if d.percent(40) {
			env = append(env, d.variable(variable.(object)["name"].(string)))
		}
	}
	for _, name := range some(d, 30, "X", "Y") {
		env = append(env, d.variable(name))
	}
	d.Shuffle(len(env), func(i, j int) { env[i], env[j] = env[j], env[i] })
	return env
}
