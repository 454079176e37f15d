// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/render/policy"
)

// pair is what the questions of fit are asked about: a TrainJob, its runtime,
// and the job that they make with the runtimePatches laid and no layer yet.
type pair struct {
	t      *trainer.TrainJob
	rt     Runtime
	job    policy.Job
	scaled policy.Job // the job as the policies see it: with its pods and resources
	opts   Options
}

// fit asks whether the TrainJob fits its runtime. Findings on the runtime name
// it as their object.
func fit(p pair) []finding.Finding {
	onRuntime := slices.Concat(deprecated(p), unsupported(p), implementation(p), sshPath(p), peers(p), noJobs(p), runtimeCounts(p), stepJobs(p), ttls(p))
	onTrainJob := slices.Concat(
		counts(p), patches(p), p.job.Faults, initializer(p), labels(p), commands(p), effects(p), replaced(p), policy.Check(p.scaled), day2(p))
	return slices.Concat(
		finding.About(runtimeRef(p.t, p.rt), onRuntime),
		finding.About(trainJobRef(p.t), onTrainJob))
}

func deprecated(p pair) []finding.Finding {
	if p.rt.Labels[marks.Support] != "deprecated" {
		return nil
	}
	return []finding.Finding{finding.Warningf(finding.RuntimeDeprecated, "metadata.labels["+marks.Support+"]",
		"%s %s is deprecated and goes away in a later release of the Trainer; move %s to another runtime", p.rt.Kind, p.rt.Name, p.t.Name)}
}

func unsupported(p pair) []finding.Finding {
	if p.job.Framework != policy.Flux {
		return nil
	}
	return []finding.Finding{finding.Errorf(finding.UnsupportedPolicy, "spec.mlPolicy.flux",
		"the flux policy is not rendered yet; leave this TrainJob to the Trainer in the cluster (annotation %s: disabled)", marks.Render)}
}

// implementation: the CRD takes an empty one too, with which the Trainer fails.
func implementation(p pair) []finding.Finding {
	mpi := p.job.MLPolicy.MPI
	if mpi == nil || *mpi.MPIImplementation == trainer.MPIImplementationOpenMPI {
		return nil
	}
	return []finding.Finding{finding.Errorf(finding.UnsupportedPolicy, "spec.mlPolicy.mpi.mpiImplementation",
		"is %q, and only %s is known; write that, or leave the field out", *mpi.MPIImplementation, trainer.MPIImplementationOpenMPI)}
}

// sshPath: the CRD takes an empty one too, at which nothing can be mounted.
func sshPath(p pair) []finding.Finding {
	mpi := p.job.MLPolicy.MPI
	if mpi == nil || *mpi.SSHAuthMountPath != "" {
		return nil
	}
	return []finding.Finding{finding.Errorf(finding.PodMount, "spec.mlPolicy.mpi.sshAuthMountPath",
		"is empty; name the folder of the SSH keys, or leave the field out for /root/.ssh")}
}

func noJobs(p pair) []finding.Finding {
	if len(p.rt.Spec.Template.Spec.ReplicatedJobs) > 0 {
		return nil
	}
	return []finding.Finding{finding.Errorf(finding.NoJobs, "spec.template.spec.replicatedJobs",
		"is empty, and a JobSet with no jobs never runs; add the job that trains")}
}

// runtimeCounts: below one node or process nothing runs.
func runtimeCounts(p pair) []finding.Finding {
	var found []finding.Finding
	atLeastOne := func(field string, n *int32) {
		if n != nil && *n < 1 {
			found = append(found, finding.Errorf(finding.NodeCount, field, "must be at least 1; it is %d", *n))
		}
	}
	if policy := p.rt.Spec.MLPolicy; policy != nil {
		atLeastOne("spec.mlPolicy.numNodes", policy.NumNodes)
		if policy.MPI != nil {
			atLeastOne("spec.mlPolicy.mpi.numProcPerNode", policy.MPI.NumProcPerNode)
		}
	}
	return found
}

func counts(p pair) []finding.Finding {
	var found []finding.Finding
	if n := p.job.Trainer.NumNodes; n != nil && *n < 1 {
		found = append(found, finding.Errorf(finding.NodeCount, "spec.trainer.numNodes", "must be at least 1; it is %d", *n))
	}
	if n := p.job.Trainer.NumProcPerNode; n != nil && *n < 1 {
		found = append(found, finding.Errorf(finding.NodeCount, "spec.trainer.numProcPerNode", "must be at least 1; it is %d", *n))
	}
	return found
}

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
// that two jobs play.
func labels(p pair) []finding.Finding {
	var found []finding.Finding
	for _, r := range p.job.Spec.ReplicatedJobs {
		if step := r.Template.Spec.Template.Labels[marks.Ancestor]; step != "" && policy.Step(r) == "" {
			found = append(found, finding.Warningf(finding.AncestorLabel, "spec.runtimeRef",
				"the runtime's job %s has the label %s: %s on its pod template, where nothing reads it; move it to the Job template's metadata", r.Name, marks.Ancestor, step))
		}
	}
	var trainers []string
	for r := range p.job.TrainerJobs() {
		trainers = append(trainers, r.Name)
	}
	switch {
	case len(trainers) == 0 && p.t.Spec.Trainer != nil && !mpiByName(p.job):
		found = append(found, finding.Warningf(finding.AncestorLabel, "spec.trainer",
			"has no effect: no job of the runtime has the label %s: trainer on its Job template; add it to the job that trains", marks.Ancestor))
	case len(trainers) == 0 && p.t.Spec.Trainer != nil:
		for _, field := range ofTrainerJob(p.job) {
			found = append(found, finding.Warningf(finding.AncestorLabel, "spec.trainer."+field,
				"has no effect: no job of the runtime has the label %s: trainer on its Job template; add it to the job that trains", marks.Ancestor))
		}
	case len(trainers) > 1:
		found = append(found, finding.Warningf(finding.SeveralTrainers, "spec.runtimeRef",
			"the runtime's jobs %s and %s are both labelled as the trainer: image, command, args and env reach all, but only %s is scaled and told of its peers",
			trainers[0], trainers[1], trainers[0]))
	}
	return found
}

// mpiByName: MPI's jobs are found by their names.
func mpiByName(j policy.Job) bool {
	_, node := j.Replicated(policy.Node)
	return j.Framework == policy.MPI && node
}

// ofTrainerJob are the fields of the TrainJob that only a job with the label
// gets: under MPI the others reach the job called node as well.
func ofTrainerJob(j policy.Job) []string {
	var fields []string
	given := func(field string, is bool) {
		if is {
			fields = append(fields, field)
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

func replicated(spec jobset.JobSetSpec, name string) (jobset.ReplicatedJob, bool) {
	return policy.Job{Spec: spec}.Replicated(name)
}
