// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trainyard/trainyard/render/finding"
)

// torchtune is told everything on its command line. A TrainJob that says just
// "tune run" gets the rest: where the processes meet, the recipe and the config
// for its model and hardware, and the paths that the runtime's own command
// holds. The model is part of the runtime's name: torchtune-llama3.2-1b is
// llama3_2/1B. Source: torchtune's recipe registry.

const (
	llama1B  = "llama3_2/1B"
	llama3B  = "llama3_2/3B"
	llama70B = "llama3_3/70B"
	qwen     = "qwen2_5/1.5B"
)

// managedKeys are the settings whose values the runtime gives.
var managedKeys = []string{"output_dir", "tokenizer.path", "checkpointer.checkpoint_dir", "tokenizer.merges_file"}

var torchtune = Policy{
	Name:    "torchtune",
	Applies: runsTorchtune,
	Check: func(j Job) []finding.Finding {
		return slices.Concat(tuneModel(j), tuneAdapters(j), tuneManagedArgs(j), ambiguousGPUs(j, oneGPUName))
	},
	Layer: func(j Job) Layer {
		first, _ := j.TrainerJob()
		if _, trains := Container(Pod(first), Node); !trains {
			return Layer{} // the webhook, where it is not disabled, refuses it
		}
		command := tuneCommand(j)
		jobs := map[string]JobLayer{}
		for r := range j.TrainerJobs() {
			jobs[r.Name] = JobLayer{Containers: map[string]ContainerLayer{Node: {Command: command}}}
		}
		return Layer{Jobs: jobs}
	},
}

func runsTorchtune(j Job) bool {
	return j.Framework == Torch && slices.Equal(j.Trainer.Command, []string{"tune", "run"})
}

func tuneCommand(j Job) []string {
	command := slices.Clone(j.Trainer.Command)
	if j.Nodes > 1 || tuneProcesses(j) > 1 {
		command = append(command, fmt.Sprintf("--rdzv_endpoint=%s:%d", j.Leader(), trainerPort))
	}
	recipe, config := tuneRecipe(j)
	command = append(command, recipe, "--config", config)
	return append(command, managedByRuntime(j)...)
}

// tuneProcesses are those of one node: the TrainJob's own number, else the
// GPUs, else the CPUs.
func tuneProcesses(j Job) int64 {
	switch {
	case j.Trainer.NumProcPerNode != nil:
		return int64(*j.Trainer.NumProcPerNode)
	case j.HasGPU():
		return j.GPUsPerNode()
	default:
		return max(j.CPUsPerNode(), 1)
	}
}

// tuneRecipe chooses torchtune's recipe and the config that goes with it.
func tuneRecipe(j Job) (recipe, config string) {
	lora, qlora := usesLoRA(j), usesQLoRA(j)
	model := tuneModelName(j.RuntimeName)
	switch {
	case j.Nodes > 1:
		return "full_finetune_distributed", model + "_full_multinode"
	case onOneDevice(j) && qlora:
		return "lora_finetune_single_device", model + "_qlora_single_device"
	case onOneDevice(j) && lora:
		return "lora_finetune_single_device", model + "_lora_single_device"
	case onOneDevice(j):
		return "full_finetune_single_device", model + "_full_single_device"
	case qlora:
		return "lora_finetune_distributed", model + "_qlora"
	case lora:
		return "lora_finetune_distributed", model + "_lora"
	default:
		return "full_finetune_distributed", model + "_full"
	}
}

// onOneDevice: one process, or one GPU whatever the number of processes.
func onOneDevice(j Job) bool { return tuneProcesses(j) == 1 || j.GPUsPerNode() == 1 }

// onOneGPU: as a person would say it, without counting CPUs.
func onOneGPU(j Job) bool {
	asked := j.Trainer.NumProcPerNode
	return asked != nil && *asked == 1 || j.GPUsPerNode() == 1
}

// tuneModelName reads the model off a runtime's name: "" if it isn't of the
// shape torchtune-FAMILY-SIZE.
func tuneModelName(runtimeName string) string {
	parts := strings.Split(runtimeName, "-")
	if len(parts) != 3 {
		return ""
	}
	return strings.ReplaceAll(parts[1], ".", "_") + "/" + strings.ToUpper(parts[2])
}

func usesLoRA(j Job) bool {
	return slices.ContainsFunc(j.Trainer.Args, func(arg string) bool { return strings.Contains(arg, "model.lora_attn_modules") })
}

// usesQLoRA: DoRA, where both are asked for, has no quantised form.
func usesQLoRA(j Job) bool {
	return switchedOn(j.Trainer.Args, "model.quantize_base") && !switchedOn(j.Trainer.Args, "model.use_dora")
}

func switchedOn(args []string, key string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		name, value, _ := strings.Cut(arg, "=")
		return strings.Contains(name, key) && strings.EqualFold(strings.TrimSpace(value), "true")
	})
}

// managedByRuntime are the settings in the runtime's own command.
func managedByRuntime(j Job) []string {
	var settings []string
	for r := range byStep(j.Template, StepTrainer) {
		c, _ := Container(Pod(r), Node)
		for _, word := range c.Command {
			if managed(word) {
				settings = append(settings, word)
			}
		}
	}
	return settings
}

func managed(word string) bool {
	key, _, _ := strings.Cut(word, "=")
	return slices.Contains(managedKeys, key)
}

func tuneModel(j Job) []finding.Finding {
	var found []finding.Finding
	model := tuneModelName(j.RuntimeName)
	if !slices.Contains([]string{llama1B, llama3B, llama70B, qwen}, model) {
		found = append(found, finding.Errorf(finding.TorchtuneModel, "spec.runtimeRef.name",
			"names no model that torchtune can be started for: %q reads as %q, and there are %s, %s, %s and %s; use such a runtime, or give the whole command",
			j.RuntimeName, model, llama1B, llama3B, llama70B, qwen))
	}
	if j.Nodes > 1 && model != llama70B {
		found = append(found, finding.Errorf(finding.TorchtuneModel, "spec.trainer.numNodes",
			"must be 1 for the model %s; it is %d", model, j.Nodes))
	}
	return found
}

func tuneAdapters(j Job) []finding.Finding {
	var found []finding.Finding
	model := tuneModelName(j.RuntimeName)
	_, config := tuneRecipe(j)
	if j.Nodes > 1 && (usesLoRA(j) || usesQLoRA(j)) {
		found = append(found, finding.Errorf(finding.TorchtuneModel, "spec.trainer.numNodes",
			"torchtune has no LoRA on several nodes; set 1, or drop model.lora_attn_modules and model.quantize_base"))
	}
	if strings.Contains(config, "_qlora") && model == qwen {
		found = append(found, finding.Errorf(finding.TorchtuneModel, "spec.runtimeRef.name",
			"torchtune has no QLoRA for the model %s; drop model.quantize_base", model))
	}
	if usesQLoRA(j) && j.Nodes == 1 && !onOneGPU(j) && (model == llama1B || model == llama3B) {
		found = append(found,
			finding.Errorf(finding.TorchtuneModel, "spec.trainer.numProcPerNode",
				"must be 1 or absent for QLoRA of the model %s, which runs on one GPU; there are %d processes", model, tuneProcesses(j)),
			finding.Errorf(finding.TorchtuneModel, "spec.trainer.resourcesPerNode",
				"must hold one GPU for QLoRA of the model %s; it holds %d", model, j.GPUsPerNode()))
	}
	return found
}

func tuneManagedArgs(j Job) []finding.Finding {
	var found []finding.Finding
	for i, arg := range j.Trainer.Args {
		if managed(arg) {
			key, _, _ := strings.Cut(arg, "=")
			found = append(found, finding.Errorf(finding.TorchtuneManagedArg, fmt.Sprintf("spec.trainer.args[%d]", i),
				"%s is given by the runtime; remove it here, or change it in the runtime", key))
		}
	}
	return found
}
