// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package generate

import (
	"slices"
	"strings"
)

// Variables that the frameworks set.
var frameworkEnv = []string{
	"PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT",
	"JAX_NUM_PROCESSES", "JAX_PROCESS_ID", "JAX_COORDINATOR_ADDRESS",
	"OMPI_MCA_orte_default_hostfile", "OMPI_MCA_orte_set_default_slots", "OMPI_MCA_plm_rsh_args", "OMPI_MCA_orte_keep_fqdn_hostnames",
	"DMLC_TRACKER_URI", "DMLC_TRACKER_PORT", "DMLC_TASK_ID", "DMLC_NUM_WORKER",
	"STORAGE_URI",
}

// prefixes of each framework's variables.
var prefixes = map[string]string{"torch": "PET_", "jax": "JAX_", "mpi": "OMPI_", "xgboost": "DMLC_"}

func withPrefix(prefix string) []string {
	return slices.DeleteFunc(slices.Clone(frameworkEnv), func(name string) bool { return !strings.HasPrefix(name, prefix) })
}

// env of a container: distinct names, in any order. foreign is how often, in
// a thousand, each of the frameworks' own names is among them.
func (d dice) env(foreign int) any {
	env := list{}
	for _, name := range shuffled(d, 30, "A", "B", "C", "lower.case-name", "NCCL_DEBUG") {
		env = append(env, d.variable(name))
	}
	for _, name := range frameworkEnv {
		if d.IntN(1000) < foreign {
			env = append(env, d.variable(name))
		}
	}
	return env
}

func (d dice) variable(name string) object {
	v := object{"name": name}
	switch {
	case d.percent(60):
		v["value"] = d.text()
	case d.percent(90):
		v["valueFrom"] = d.valueFrom()
	}
	return v
}

func (d dice) valueFrom() any {
	switch d.IntN(6) {
	case 0:
		ref := object{"fieldPath": pick(d, "metadata.name", "metadata.namespace", "status.podIP", "metadata.labels['team']")}
		d.maybe(30, ref, "apiVersion", func() any { return "v1" })
		return object{"fieldRef": ref}
	case 1:
		ref := object{"resource": pick(d, "limits.cpu", "requests.memory", "limits.memory")}
		d.maybe(30, ref, "divisor", func() any { return pick[any](d, "1", "1Mi", int64(1), "0") })
		d.maybe(30, ref, "containerName", func() any { return node })
		return object{"resourceFieldRef": ref}
	case 2:
		return object{"configMapKeyRef": d.keyRef()}
	case 3, 4:
		return object{"secretKeyRef": d.keyRef()}
	default:
		ref := object{"key": "K", "path": "a.env", "volumeName": "files"}
		d.maybe(30, ref, "optional", func() any { return d.one(2) })
		return object{"fileKeyRef": ref}
	}
}

func (d dice) keyRef() object {
	ref := object{"key": pick(d, "k", "token"), "name": pick(d, "settings", "hf-token")}
	d.maybe(30, ref, "optional", func() any { return d.one(2) })
	return ref
}

func (d dice) envFrom() any {
	from := list{}
	for _, kind := range some(d, 50, "configMapRef", "secretRef") {
		source := object{kind: object{"name": "settings"}}
		d.maybe(20, source, "prefix", func() any { return "P_" })
		from = append(from, source)
	}
	return from
}
