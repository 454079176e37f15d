// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package generate

// pod of a job whose main container has a name.
func (d dice) pod(main string) object {
	volumes := d.volumes(main)
	containers := list{d.container(main, volumes)}
	for _, name := range some(d, 10, "sidecar", "side2") {
		containers = append(containers, d.container(name, volumes))
	}
	d.Shuffle(len(containers), func(i, j int) { containers[i], containers[j] = containers[j], containers[i] })
	spec := object{"containers": containers}
	if len(volumes) > 0 {
		spec["volumes"] = volumes
	}
	if d.percent(15) {
		spec["initContainers"] = d.initContainers(volumes)
	}
	d.scheduling(spec)
	d.security(spec)
	if d.percent(8) {
		spec["resourceClaims"] = list{object{"name": "gpu", "resourceClaimTemplateName": "gpus"}}
		resources, _ := containers[0].(object)["resources"].(object)
		if resources != nil {
			resources["claims"] = list{object{"name": "gpu"}}
		}
	}
	return spec
}

func (d dice) scheduling(spec object) {
	d.maybe(12, spec, "nodeSelector", func() any { return object{pick(d, "disk", "zone"): pick(d, "ssd", "a")} })
	d.maybe(12, spec, "tolerations", d.tolerations)
	d.maybe(8, spec, "affinity", d.affinity)
	d.maybe(8, spec, "schedulerName", func() any { return pick(d, "volcano", "scheduler-plugins-scheduler") })
	d.maybe(8, spec, "priorityClassName", func() any { return pick(d, "system-node-critical", "system-cluster-critical", "high") })
	d.maybe(5, spec, "runtimeClassName", func() any { return "nvidia" })
	d.maybe(5, spec, "schedulingGates", func() any { return list{object{"name": "example.com/gate"}} })
	d.maybe(5, spec, "terminationGracePeriodSeconds", func() any { return pick[any](d, int64(0), int64(30)) })
	d.maybe(5, spec, "overhead", func() any { return object{"cpu": "100m"} })
	d.maybe(8, spec, "restartPolicy", func() any { return pick(d, "Never", "OnFailure") })
	d.maybe(5, spec, "activeDeadlineSeconds", d.seconds)
	d.maybe(4, spec, "hostNetwork", func() any { return d.one(2) })
}

func (d dice) security(spec object) {
	d.maybe(10, spec, "serviceAccountName", func() any { return pick(d, "trainer", "default") })
	d.maybe(10, spec, "imagePullSecrets", d.pullSecrets)
	d.maybe(10, spec, "securityContext", d.podSecurity)
	d.maybe(5, spec, "automountServiceAccountToken", func() any { return d.one(2) })
}

func (d dice) podSecurity() any {
	s := object{}
	d.maybe(50, s, "runAsUser", func() any { return pick[any](d, int64(0), int64(1000)) })
	d.maybe(50, s, "fsGroup", func() any { return int64(2000) })
	d.maybe(30, s, "runAsNonRoot", func() any { return d.one(2) })
	d.maybe(30, s, "supplementalGroups", func() any { return list{int64(1), int64(2)} })
	d.maybe(20, s, "seccompProfile", func() any { return object{"type": "RuntimeDefault"} })
	return s
}

func (d dice) containerSecurity() any {
	s := object{}
	d.maybe(50, s, "runAsUser", func() any { return int64(1000) })
	d.maybe(30, s, "privileged", func() any { return false })
	d.maybe(30, s, "capabilities", func() any { return object{"add": list{"IPC_LOCK"}, "drop": list{"ALL"}} })
	d.maybe(30, s, "allowPrivilegeEscalation", func() any { return false })
	return s
}

func (d dice) pullSecrets() any {
	secrets := list{}
	for _, name := range shuffled(d, 60, "registry", "other") {
		secrets = append(secrets, object{"name": name})
	}
	return secrets
}

func (d dice) tolerations() any {
	all := list{}
	for range d.IntN(3) {
		t := object{"key": pick(d, "nvidia.com/gpu", "spot"), "operator": "Exists"}
		d.maybe(50, t, "effect", func() any { return pick(d, "NoSchedule", "PreferNoSchedule") })
		all = append(all, t)
	}
	return all
}

func (d dice) affinity() any {
	expression := object{"key": "gpu", "operator": "In", "values": list{"a100", "h100"}}
	node := object{}
	d.maybe(70, node, "requiredDuringSchedulingIgnoredDuringExecution", func() any {
		terms := list{object{"matchExpressions": list{expression}}}
		if d.one(3) {
			terms = append(terms, object{"matchExpressions": list{object{"key": "x", "operator": "Exists"}}})
		}
		return object{"nodeSelectorTerms": terms}
	})
	d.maybe(40, node, "preferredDuringSchedulingIgnoredDuringExecution", func() any {
		return list{object{"weight": int64(1), "preference": object{"matchExpressions": list{expression}}}}
	})
	return object{"nodeAffinity": node}
}

// volumes of distinct names. An initializer needs one named so.
func (d dice) volumes(main string) list {
	volumes := list{}
	if (main == dataset || main == model || d.one(6)) && d.percent(90) {
		volumes = append(volumes, object{"name": "initializer", "emptyDir": object{}})
	}
	for _, name := range shuffled(d, 12, "data", "cache", "files", "mpi-hostfile", "mpi-ssh-auth") {
		volumes = append(volumes, d.volume(name))
	}
	return volumes
}

func (d dice) volume(name string) object {
	v := object{"name": name}
	switch d.IntN(6) {
	case 0:
		v["emptyDir"] = pick(d, object{}, object{"medium": "Memory"}, object{"sizeLimit": "1Gi"})
	case 1:
		v["persistentVolumeClaim"] = object{"claimName": "data"}
	case 2:
		v["configMap"] = object{"name": "settings", "items": list{object{"key": "a", "path": "b"}}}
	case 3:
		v["secret"] = object{"secretName": "token", "defaultMode": int64(256)}
	case 4:
		v["hostPath"] = object{"path": "/data"}
	default:
		v["projected"] = object{"sources": list{object{"configMap": object{"name": "settings"}}}}
	}
	return v
}

// mounts of the pod's own volumes, each at a place of its own.
func (d dice) mounts(main string, volumes list) list {
	mounts := list{}
	for i, volume := range volumes {
		name := volume.(object)["name"]
		if name == "initializer" && (main == dataset || main == model) || d.percent(40) {
			m := object{"name": name, "mountPath": pick(d, "/workspace", "/data", "/etc/mpi", "/root/.ssh", "/mnt") + pick(d, "", "/"+string(rune('a'+i)))}
			d.maybe(20, m, "readOnly", func() any { return d.one(2) })
			d.maybe(10, m, "subPath", func() any { return "sub" })
			mounts = append(mounts, m)
		}
	}
	return mounts
}

func (d dice) container(name string, volumes list) object {
	c := object{"name": name, "image": d.image()}
	if mounts := d.mounts(name, volumes); len(mounts) > 0 {
		c["volumeMounts"] = mounts
	}
	d.maybe(30, c, "command", d.words)
	d.maybe(30, c, "args", d.words)
	d.maybe(35, c, "env", func() any { return d.env(20) })
	d.maybe(10, c, "envFrom", d.envFrom)
	d.maybe(25, c, "ports", d.ports)
	d.maybe(50, c, "resources", d.resources)
	d.maybe(8, c, "securityContext", d.containerSecurity)
	d.maybe(8, c, "workingDir", func() any { return "/work" })
	d.maybe(8, c, "imagePullPolicy", func() any { return pick(d, "Always", "IfNotPresent") })
	d.maybe(6, c, "readinessProbe", d.probe)
	d.maybe(4, c, "lifecycle", func() any { return object{"preStop": object{"exec": object{"command": list{"true"}}}} })
	return c
}

func (d dice) probe() any {
	return pick(d,
		object{"tcpSocket": object{"port": int64(2222)}, "initialDelaySeconds": int64(5)},
		object{"httpGet": object{"path": "/", "port": int64(8080)}},
		object{"grpc": object{"port": int64(9090)}},
		object{"exec": object{"command": list{"true"}}})
}

func (d dice) initContainers(volumes list) list {
	containers := list{}
	for _, name := range some(d, 60, "fetch", "watch") {
		c := d.container(name, volumes)
		delete(c, "readinessProbe")
		delete(c, "lifecycle")
		d.maybe(30, c, "restartPolicy", func() any { return "Always" })
		containers = append(containers, c)
	}
	return containers
}
