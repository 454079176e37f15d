// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/render/policy"
)

// commands asks whether what is started is what was meant.
func commands(p pair) []finding.Finding {
	var found []finding.Finding
	for _, cleared := range []struct {
		field string
		words []string
		there func(corev1.Container) []string
	}{
		{"command", p.job.Trainer.Command, func(c corev1.Container) []string { return c.Command }},
		{"args", p.job.Trainer.Args, func(c corev1.Container) []string { return c.Args }},
	} {
		if c := trainingContainer(p.job); cleared.words != nil && len(cleared.words) == 0 && len(cleared.there(c)) > 0 {
			found = append(found, finding.Warningf(finding.ClearedCommand, "spec.trainer."+cleared.field,
				"an empty %s clears the runtime's (%s), and the image's own is run; leave the field out to keep the runtime's",
				cleared.field, strings.Join(cleared.there(c), " ")))
		}
	}
	if image := p.job.Trainer.Image; image != nil && *image == "" {
		found = append(found, finding.Errorf(finding.PodContainer, "spec.trainer.image",
			"is empty, which takes the runtime's away; name an image, or leave the field out"))
	}
	return append(found, plainPython(p)...)
}

// starters are the programs that read PET_ variables or start one that does.
var starters = regexp.MustCompile(`torchrun|accelerate|deepspeed|\btune\b|torch\.distributed\.run|PET_`)

// plainPython: a script started by plain python on several processes reads RANK
// and WORLD_SIZE, which only torchrun sets.
func plainPython(p pair) []finding.Finding {
	job := p.scaled
	if job.Framework != policy.Torch {
		return nil
	}
	words := started(job)
	several := job.Nodes > 1 || job.GPUsPerNode() > 1 || job.Trainer.NumProcPerNode != nil && *job.Trainer.NumProcPerNode > 1
	if !several || !startsPython(words) || starters.MatchString(strings.Join(words, "\n")) {
		return nil
	}
	return []finding.Finding{finding.Warningf(finding.PlainPython, "spec.trainer.command",
		"the job runs on several processes, but %q is started by plain python, which does not read the PET_ variables: every process would train alone; start it with torchrun",
		brief(words))}
}

// started are the words that the training container is started with.
func started(j policy.Job) []string {
	c := trainingContainer(j)
	if c.Name == "" {
		return nil // there is none
	}
	command, args := j.Trainer.Command, j.Trainer.Args
	if command == nil {
		command = c.Command
	}
	if args == nil {
		args = c.Args
	}
	return slices.Concat(command, args)
}

// python finds the program, as a word of its own or within a shell's script.
var python = regexp.MustCompile(`(^|[\s;&|/])python[0-9.]*(\s|$)`)

func startsPython(words []string) bool {
	text := strings.Join(words, "\n")
	return strings.Contains(text, "python") && python.MatchString(text)
}

// brief is the beginning of a command, for a message.
func brief(words []string) string {
	const limit = 40
	line, _, more := strings.Cut(strings.Join(words, " "), "\n")
	if short := []rune(line); len(short) > limit {
		line, more = string(short[:limit]), true
	}
	if more {
		line += "…"
	}
	return line
}

// effects finds what the TrainJob says that nothing reads, and what it leaves
// for nobody to say.
func effects(p pair) []finding.Finding {
	job := p.scaled
	var found []finding.Finding
	if readsProcesses := job.Framework == policy.Torch || job.Framework == policy.MPI; job.Trainer.NumProcPerNode != nil && !readsProcesses {
		found = append(found, finding.Warningf(finding.NoEffect, "spec.trainer.numProcPerNode",
			"has no effect: the runtime's policy is %s, which does not read it; drop it", frameworkName(job.Framework)))
	}
	if job.Trainer.ResourcesPerNode != nil && !job.HasMLPolicy {
		found = append(found, finding.Warningf(finding.NoEffect, "spec.trainer.resourcesPerNode",
			"is applied here, but the Trainer in the cluster ignores it, since the runtime has no mlPolicy; give the runtime one to have both do the same"))
	}
	if noProcessesToDerive(job) {
		found = append(found, finding.Infof(finding.NoResources, "spec.trainer.resourcesPerNode",
			"neither the runtime nor the TrainJob names resources to derive the number of processes from: one is started on each node"))
	}
	return append(found, envOrder(job)...)
}

func noProcessesToDerive(j policy.Job) bool {
	_, trains := j.TrainerJob()
	return j.Framework == policy.Torch && trains && j.Trainer.NumProcPerNode == nil && !j.HasGPU() && j.CPUsPerNode() == 0
}

func frameworkName(f policy.Framework) string {
	if f == policy.None {
		return "none"
	}
	return string(f)
}

// reference finds $(NAME), and $$(NAME) which is none.
var reference = regexp.MustCompile(`\$?\$\(([A-Za-z_.-][A-Za-z0-9_.-]*)\)`)

// envOrder: Kubernetes resolves $(NAME) from the variables that stand before.
func envOrder(j policy.Job) []finding.Finding {
	if !slices.ContainsFunc(slices.Concat(trainingContainer(j).Env, j.Trainer.Env), refers) {
		return nil // no policy writes a reference
	}
	for _, p := range policy.Frameworks() {
		if p.Applies(j) {
			j = j.With(p.Layer(j))
		}
	}
	env := trainingContainer(withTrainer(j)).Env
	place := map[string]int{}
	for i, e := range env {
		place[e.Name] = i
	}
	var found []finding.Finding
	for i, e := range env {
		if !refers(e) {
			continue
		}
		for _, match := range reference.FindAllStringSubmatch(e.Value, -1) {
			if at, ok := place[match[1]]; ok && at >= i && !strings.HasPrefix(match[0], "$$") {
				found = append(found, finding.Warningf(finding.EnvOrder, "spec.trainer.env",
					"%s refers to $(%s), which stands after it and so is not resolved; move %s before %s", e.Name, match[1], match[1], e.Name))
			}
		}
	}
	return found
}

// refers reports whether the variable's value may refer to another.
func refers(e corev1.EnvVar) bool { return strings.Contains(e.Value, "$(") }

// trainingContainer is the container that trains, or an empty one.
func trainingContainer(j policy.Job) corev1.Container {
	r, _ := j.TrainerJob()
	c, _ := policy.Container(policy.Pod(r), policy.Node)
	return c
}

// inText lists where the training container's words hold a text.
func inText(c corev1.Container, text string) []string {
	var where []string
	for i, word := range c.Command {
		if strings.Contains(word, text) {
			where = append(where, fmt.Sprintf("command[%d]", i))
		}
	}
	for i, word := range c.Args {
		if strings.Contains(word, text) {
			where = append(where, fmt.Sprintf("args[%d]", i))
		}
	}
	for _, e := range c.Env {
		if strings.Contains(e.Value, text) {
			where = append(where, "env "+e.Name)
		}
	}
	return where
}
