// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/render/policy"
)

// Step is one reason a JobSet looks the way it does. Apply is pure: it copies
// what it changes, and shares the rest with the runtime and the TrainJob.
type Step struct {
	Source Source
	Apply  func(policy.Job) policy.Job
}

// Source says who takes a step: a field of an object that a person wrote, or
// a rule of this program.
type Source struct {
	Object  finding.Ref // zero: nobody's object
	Field   string      // of the object; of a template it is where the JobSet's own paths begin
	Manager string      // of a runtimePatch
	Rule    string      // "torch policy", "JobSet default"; empty for an object's field
}

// String is how the source is named to a person.
func (s Source) String() string {
	switch {
	case s.Rule != "":
		return s.Rule
	case s.Manager != "":
		return "runtimePatches[" + s.Manager + "]"
	case s.Object.Kind == trainer.TrainJobKind:
		return s.Object.Kind + " " + s.Field
	default:
		return s.Object.Kind + " " + s.Object.Name
	}
}

// At is the field of the source's object that sets the JobSet's leaf of the
// given path.
func (s Source) At(path string) string {
	switch {
	case s.Field == "metadata":
		return path
	case strings.HasSuffix(s.Field, "template"):
		return s.Field + "." + path
	}
	if in := inTrainer.FindStringSubmatch(path); in != nil && strings.HasPrefix(s.Field, "spec.trainer.") {
		return s.Field + in[2]
	}
	return s.Field
}

// trainerBlock is taken in one step, whose leaves say which of its fields each
// comes from.
const trainerBlock = "spec.trainer"

// of is the source of one leaf of the step.
func (s Source) of(path string) Source {
	if s.Field != trainerBlock {
		return s
	}
	if in := inTrainer.FindStringSubmatch(path); in != nil {
		s.Field += "." + in[1]
	}
	return s
}

// inTrainer finds the container's field that the trainer block sets, and what
// remains below it.
var inTrainer = regexp.MustCompile(`\.containers\[name=[^\]]*\]\.(image|command|args|env|resources)([.\[].*)?$`)

// templateSteps are those that give the job its shape, first to last.
func templateSteps(t *trainer.TrainJob, rt Runtime) []Step {
	steps := []Step{
		{trainJobField(t, "metadata"), carryMetadata(t)},
		{Source{Object: runtimeRef(t, rt), Field: "spec.template"}, runtimeTemplate(rt)},
	}
	for i, patch := range t.Spec.RuntimePatches {
		field := fmt.Sprintf("spec.runtimePatches[%d].trainingRuntimeSpec.template", i)
		source := trainJobField(t, field)
		source.Manager = patch.Manager
		steps = append(steps, Step{source, patched(patch, field)})
	}
	return steps
}

// scaleSteps give the training nodes their number and resources: what the
// policies count.
func scaleSteps(t *trainer.TrainJob, rt Runtime) []Step {
	return []Step{
		{nodesSource(t, rt), scaled},
		{trainJobField(t, "spec.trainer.resourcesPerNode"), withResources},
	}
}

// layerSteps are those that follow, first to last. This order is the
// precedence: later wins.
func layerSteps(t *trainer.TrainJob, rt Runtime, opts Options) []Step {
	return slices.Concat(frameworkSteps, []Step{
		{trainJobField(t, trainerBlock), withTrainer},
	}, finisherSteps, []Step{
		{trainJobField(t, "spec.suspend"), suspended(t, opts)},
		{byRule("queue rule"), withoutManagedBy},
		{trainJobField(t, "spec.activeDeadlineSeconds"), withDeadline(t)},
		{byRule("TTL rule"), withoutTTL(opts)},
		{byRule("queue rule"), selectorAsAffinity(opts)},
		{byRule("Trainyard"), marked(t, rt, opts)},
		{byRule("applier profile"), profiled(opts)},
		{byRule("JobSet default"), defaulted},
	})
}

var (
	frameworkSteps = policySteps(policy.Frameworks())
	finisherSteps  = policySteps(policy.Finishers())
)

func policySteps(policies []policy.Policy) []Step {
	steps := make([]Step, len(policies))
	for i, p := range policies {
		steps[i] = policyStep(p)
	}
	return steps
}

func policyStep(p policy.Policy) Step {
	return Step{byRule(p.Name + " policy"), func(j policy.Job) policy.Job {
		if !p.Applies(j) {
			return j
		}
		return j.With(p.Layer(j))
	}}
}

func byRule(name string) Source { return Source{Rule: name} }

func trainJobField(t *trainer.TrainJob, field string) Source {
	return Source{Object: trainJobRef(t), Field: field}
}

// nodesSource: the runtime says how many nodes there are until the TrainJob
// does.
func nodesSource(t *trainer.TrainJob, rt Runtime) Source {
	if t.Spec.Trainer != nil && t.Spec.Trainer.NumNodes != nil {
		return trainJobField(t, "spec.trainer.numNodes")
	}
	return Source{Object: runtimeRef(t, rt), Field: "spec.mlPolicy.numNodes"}
}

// trainerVersion is the apiVersion of TrainJobs and runtimes.
var trainerVersion = trainer.GroupVersion.String()

func trainJobRef(t *trainer.TrainJob) finding.Ref {
	return finding.Ref{APIVersion: trainerVersion, Kind: trainer.TrainJobKind, Namespace: t.Namespace, Name: t.Name}
}

// runtimeRef names the runtime; a namespaced one is in the TrainJob's own.
func runtimeRef(t *trainer.TrainJob, rt Runtime) finding.Ref {
	ref := finding.Ref{APIVersion: trainerVersion, Kind: rt.Kind, Name: rt.Name}
	if rt.Kind == trainer.TrainingRuntimeKind {
		ref.Namespace = t.Namespace
	}
	return ref
}
