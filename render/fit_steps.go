// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/render/policy"
)

// The questions about the jobs that play a step of the training.

// stepJobs: a job that plays a step has one replica and a container of the
// step's name. Source: the Trainer's webhook for runtimes. A label skips it;
// then it is told what comes of such a job.
func stepJobs(p pair) []finding.Finding {
	const skip = "trainer.kubeflow.org/webhook-validation"
	say, rendered, reached := finding.Errorf, "", ""
	if p.rt.Labels[skip] == "disabled" {
		say, rendered, reached = finding.Warningf, "; 1 is rendered, as the Trainer does", ", or nothing that the TrainJob sets for the step reaches it"
	}
	var found []finding.Finding
	for i, r := range p.rt.Spec.Template.Spec.ReplicatedJobs {
		if !isStep(r) {
			continue
		}
		field := fmt.Sprintf("spec.template.spec.replicatedJobs[%d]", i)
		if r.Replicas > 1 || r.Replicas < 0 {
			found = append(found, say(finding.RuntimeReplicas, field+".replicas",
				"must be 1 for the job that plays the step %s; it is %d: nodes are counted by mlPolicy.numNodes%s", policy.Step(r), r.Replicas, rendered))
		}
		if name := stepContainer(policy.Step(r)); !has(policy.Pod(r).Containers, name) {
			found = append(found, say(finding.RuntimeContainer, field+".template.spec.template.spec.containers",
				"the job %s plays the step %s and must have a container called %s; rename the one that does the work%s", r.Name, policy.Step(r), name, reached))
		}
	}
	return found
}

// stepContainer is the name of the container that does a step's work.
func stepContainer(step string) string {
	if step == policy.StepTrainer {
		return policy.Node
	}
	return step
}

// labels: jobs that look like a step but are not labelled as one, and steps
// that no job or two jobs play.
func labels(p pair) []finding.Finding {
	found := misplacedLabels(p.job)
	var trainers []string
	for r := range p.job.TrainerJobs() {
		trainers = append(trainers, r.Name)
	}
	switch {
	case len(trainers) == 0 && p.t.Spec.Trainer != nil:
		for _, field := range ofTrainerJob(p.job) {
			found = append(found, finding.Warningf(finding.AncestorLabel, field,
				"has no effect: no job of the runtime has the label %s: trainer on its Job template; add it to the job that trains", marks.Ancestor))
		}
	case len(trainers) > 1:
		found = append(found, finding.Warningf(finding.SeveralTrainers, "spec.runtimeRef",
			"the runtime's jobs %s and %s are both labelled as the trainer: image, command, args and env reach all, but only %s is scaled and told of its peers",
			trainers[0], trainers[1], trainers[0]))
	}
	return found
}

func misplacedLabels(j policy.Job) []finding.Finding {
	var found []finding.Finding
	for _, r := range j.Spec.ReplicatedJobs {
		if step := r.Template.Spec.Template.Labels[marks.Ancestor]; step != "" && policy.Step(r) == "" {
			found = append(found, finding.Warningf(finding.AncestorLabel, "spec.runtimeRef",
				"the runtime's job %s has the label %s: %s on its pod template, where nothing reads it; move it to the Job template's metadata", r.Name, marks.Ancestor, step))
		}
	}
	return found
}

// ofTrainerJob are the fields of the TrainJob that only a job with the label
// gets: all of the trainer block, but MPI's jobs are found by their names, and
// some fields reach the one called node as well.
func ofTrainerJob(j policy.Job) []string {
	if _, node := j.Replicated(policy.Node); j.Framework != policy.MPI || !node {
		return []string{trainerBlock}
	}
	var fields []string
	given := func(field string, is bool) {
		if is {
			fields = append(fields, trainerBlock+"."+field)
		}
	}
	given("image", j.Trainer.Image != nil)
	given("command", j.Trainer.Command != nil)
	given("args", j.Trainer.Args != nil)
	given("env", len(j.Trainer.Env) > 0 && !j.LauncherIsNode())
	given("resourcesPerNode", j.Trainer.ResourcesPerNode != nil && !j.LauncherIsNode())
	return fields
}

func initializer(p pair) []finding.Finding {
	var found []finding.Finding
	if p.job.Initializer.Dataset != nil {
		found = append(found, initializerJob(p, policy.StepDataset, "spec.initializer.dataset")...)
	}
	if p.job.Initializer.Model != nil {
		found = append(found, initializerJob(p, policy.StepModel, "spec.initializer.model")...)
	}
	return found
}

// initializerJob: the Trainer asks for a job of the step's name and fills the
// one with the step's label, so both must be the same.
func initializerJob(p pair, step, field string) []finding.Finding {
	missing := func(what string) []finding.Finding {
		return []finding.Finding{finding.Errorf(finding.InitializerMissing, "spec.runtimeRef",
			"%s needs %s in the runtime %s; add it there, use a runtime with one, or drop %s", field, what, p.rt.Name, field)}
	}
	r, ok := p.job.Replicated(step)
	if !ok {
		return missing("a job called " + step)
	}
	c, ok := policy.Container(policy.Pod(r), step)
	if !ok {
		return missing(fmt.Sprintf("a container called %s in the job %s", step, step))
	}
	const volume = "initializer"
	if !slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.Name == volume }) {
		return missing(fmt.Sprintf("a mount of the volume %s in the container %s", volume, step))
	}
	if policy.Step(r) != step {
		return []finding.Finding{finding.Warningf(finding.AncestorLabel, field,
			"has no effect: the runtime's job %s lacks the label %s: %s on its Job template", step, marks.Ancestor, step)}
	}
	return nil
}

func has(containers []corev1.Container, name string) bool {
	return slices.ContainsFunc(containers, func(c corev1.Container) bool { return c.Name == name })
}
