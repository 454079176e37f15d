// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"encoding/json"
	"fmt"
)

// podSpecOverrides were fields of a pod's spec, for named jobs.
func podSpecOverrides(value any, _ path) string {
	var jobs []any
	for _, override := range objects(value) {
		spec := without(override, "targetJobs")
		jobs = append(jobs, patchedJobs(override, map[string]any{"spec": spec})...)
	}
	return "is of Trainer 2.0; write spec." + patch(map[string]any{"spec": map[string]any{"replicatedJobs": jobs}})
}

// podTemplateOverrides were the same one level further out.
func podTemplateOverrides(value any, _ path) string {
	var jobs []any
	for _, override := range objects(value) {
		jobs = append(jobs, patchedJobs(override, without(override, "targetJobs"))...)
	}
	return "is of Trainer 2.1; write spec." + patch(map[string]any{"spec": map[string]any{"replicatedJobs": jobs}})
}

// patchedJobs are the replicated jobs that an override names, with their pods'
// template.
func patchedJobs(override, template map[string]any) []any {
	var jobs []any
	for _, target := range objects(override["targetJobs"]) {
		jobs = append(jobs, map[string]any{
			"name":     target["name"],
			"template": map[string]any{"spec": map[string]any{"template": template}},
		})
	}
	return jobs
}

func jobSetLabels(_ any, _ path) string {
	return "is of Trainer 2.1; move the labels to metadata.labels: they go to the JobSet from there"
}

func jobSetAnnotations(value any, _ path) string {
	return "is of Trainer 2.1; write spec." + patch(map[string]any{"metadata": map[string]any{"annotations": value}})
}

// patch is a runtimePatch as YAML on one line. The manager is for the user to
// choose: it names who patches.
func patch(template map[string]any) string {
	return "runtimePatches: " + flow([]any{map[string]any{
		"manager":             "example.com/me",
		"trainingRuntimeSpec": map[string]any{"template": template},
	}})
}

// initializer takes what the configuration of a dataset or a model has over.
func initializer(of string) func(any, path) string {
	return func(value any, _ path) string {
		config, _ := value.(map[string]any)
		if input, nested := config["input"].(map[string]any); nested {
			config = input
		}
		kept := map[string]any{}
		for _, field := range []string{"storageUri", "env", "secretRef"} {
			if config[field] != nil {
				kept[field] = config[field]
			}
		}
		return fmt.Sprintf("is of the API before Trainer 2.0; write spec.initializer: %s", flow(map[string]any{of: kept}))
	}
}

func renamed(field string) func(any, path) string {
	return func(value any, _ path) string {
		return fmt.Sprintf("is of the API before Trainer 2.0; write %s: %s", field, flow(value))
	}
}

func ofRuntime(value any, _ path) string {
	return fmt.Sprintf("has no meaning in a TrainJob; the runtime has it: write there spec.mlPolicy: %s", flow(value))
}

// processesByName were words for a count of processes.
func processesByName(value any, _ path) string {
	switch value {
	case "auto":
		return `"auto" is of Trainer 2.1, now it is a whole number; remove it: without it the processes are counted from the node's GPUs, or CPUs`
	case "gpu":
		return `"gpu" is of Trainer 2.1, now it is a whole number; remove it and ask for GPUs: resourcesPerNode: {"limits":{"nvidia.com/gpu":1}}`
	case "cpu":
		return `"cpu" is of Trainer 2.1, now it is a whole number; write the number of the node's CPUs`
	}
	return ""
}

func processesOfRuntime(value any, _ path) string {
	if number, _ := value.(json.Number); isWhole(number.String(), 64) {
		return fmt.Sprintf("is of Trainer 2.1 and has no effect any more; remove it, and write spec.trainer.numProcPerNode: %v in the TrainJobs", value)
	}
	return "is of Trainer 2.1 and has no effect any more; remove it: the processes are counted from the node's GPUs, or CPUs"
}

func elasticPolicy(any, path) string {
	return "is of Trainer 2.1 and has no effect; remove it: the number of nodes is fixed, by spec.trainer.numNodes of the TrainJob"
}

func dependencyByName(value any, _ path) string {
	name, ok := value.(string)
	if !ok {
		return ""
	}
	return "must name a job and the state to wait for; write " + flow(map[string]any{"name": name, "status": "Complete"})
}

// objects returns the objects in a list.
func objects(value any) []map[string]any {
	items, _ := value.([]any)
	var found []map[string]any
	for _, item := range items {
		if object, ok := item.(map[string]any); ok {
			found = append(found, object)
		}
	}
	return found
}

func without(object map[string]any, field string) map[string]any {
	kept := map[string]any{}
	for key, value := range object {
		if key != field {
			kept[key] = value
		}
	}
	return kept
}

// flow writes a value as JSON, which is YAML on one line.
func flow(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}
