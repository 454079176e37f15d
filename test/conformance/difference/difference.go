// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package difference holds every rule by which the renderer differs from the
// Trainer on purpose.
//
// A rule is a small change: of what the Trainer is given, of what it made, or
// of its verdict. The rules are applied to the Trainer's own answer, and the
// sum has to be the renderer's answer to the last field. So a rule explains
// its fields and no other, and one that the renderer does not follow shows up
// as much as a difference that no rule explains.
package difference

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/test/conformance/cases"
	"github.com/trainyard/trainyard/test/conformance/upstream"
)

// Rule is one way in which the renderer differs from the Trainer.
type Rule struct {
	Name    string
	Trainer string // what the Trainer does
	Here    string // what is done here
	Reason  string // one sentence: why
	// Everywhere: the rule changes nearly every JobSet, so that no case need
	// show what the Trainer makes instead.
	Everywhere bool

	// Given changes what the Trainer is given to what it would need to do the
	// same, where the rule applies.
	Applies func(*Given) bool
	Given   func(*Given)
	// Counts: what is given is only counted; the containers keep the resources
	// that they had.
	Counts bool
	// Random: the Trainer's answer varies.
	Random bool
	// Judges: the Trainer may refuse what is given.
	Judges bool
	// Made changes what the Trainer made.
	Made func(*Made) bool
	// Refuses tells whether the rule is why a finding stands where the Trainer
	// has nothing to say.
	Refuses func(Given, finding.Finding) bool
	// Forgives tells whether the rule is why a problem of the Trainer is none.
	Forgives func(cases.Case, upstream.Problem) bool
	// Ordering: nothing but the order of a list differs.
	Ordering bool
	// Elsewhere names the test that shows a difference which one rendering of
	// one TrainJob cannot show.
	Elsewhere string
}

// Given is what the Trainer is given.
type Given struct {
	upstream.Admitted
	Template jobset.JobSetSpec // the runtime's, with the runtimePatches merged in
}

// Made is what the Trainer made of it.
type Made struct {
	Given  Given // as the user wrote it
	JobSet *jobset.JobSet
	Beside []map[string]any // the ConfigMap, the PodGroups
}

// Fired are the names of the rules that changed something.
type Fired map[string]int

// Expect applies the rules to what the Trainer made of what the user wrote, and
// runs it anew where they change what it is given. The result is nil if it
// makes nothing.
func Expect(ctx context.Context, trainer *upstream.Trainer, given Given, written []map[string]any, fired Fired) (*Made, error) {
	secrets, others := bySecret(written)
	objects := append(throughGiven(ctx, trainer, given, others, fired), secrets...)
	made := &Made{Given: given}
	for _, object := range objects {
		if object["kind"] != "JobSet" {
			made.Beside = append(made.Beside, object)
			continue
		}
		stored, err := trainer.DefaultJobSet(ctx, object)
		if err != nil {
			return nil, err
		}
		made.JobSet = &jobset.JobSet{}
		if err := upstream.Convert(stored, made.JobSet); err != nil {
			return nil, err
		}
	}
	if made.JobSet == nil {
		return nil, nil
	}
	for _, rule := range Rules {
		if rule.Made != nil && rule.Made(made) {
			fired[rule.Name]++
		}
	}
	return made, nil
}

// bySecret parts copies of Secrets from those of other objects: their keys are
// random, and made but once.
func bySecret(objects []object) (secrets, others []object) {
	for _, o := range objects {
		if o["kind"] == "Secret" {
			secrets = append(secrets, runtime.DeepCopyJSON(o))
		} else {
			others = append(others, runtime.DeepCopyJSON(o))
		}
	}
	return secrets, others
}

// NewGiven is what the user wrote, once it was admitted.
func NewGiven(trainer *upstream.Trainer, admitted upstream.Admitted) (Given, error) {
	given := Given{Admitted: admitted, Template: admitted.Runtime.Template.Spec}
	if len(admitted.Job.Spec.RuntimePatches) == 0 {
		return given, nil
	}
	given.Template = jobset.JobSetSpec{}
	patched, err := trainer.Patched(admitted)
	if err != nil {
		return given, fmt.Errorf("merge runtimePatches: %w", err)
	}
	return given, upstream.Convert(patched, &given.Template)
}

// throughGiven applies the rules on what is given one by one: each that
// applies is another run of the Trainer. Nothing is made yet where its webhook
// refused what a rule has made good.
func throughGiven(ctx context.Context, trainer *upstream.Trainer, given Given, made []object, fired Fired) []object {
	if len(made) == 0 {
		made = trainer.Render(ctx, given.Admitted).Objects
	}
	for _, rule := range Rules {
		if rule.Given == nil || !rule.Applies(&given) {
			continue
		}
		next := given.changedBy(rule)
		again := trainer.Render(ctx, next.Admitted).Objects
		if rule.Counts {
			keepResources(made, again)
		}
		if rule.Random && varies(ctx, trainer, given, made, again) || !rule.Random && !answers(ctx, trainer, given, made, again) {
			fired[rule.Name]++
		}
		given, made = next, again
	}
	return made
}

// attempts is how often the Trainer is asked where it answers at random.
const attempts = 64

// answers tells whether the Trainer may answer the same without the change.
func answers(ctx context.Context, trainer *upstream.Trainer, given Given, made, again []object) bool {
	if reflect.DeepEqual(made, again) {
		return true
	}
	if !countsSeveralGPUNames(&given) {
		return false
	}
	for other := range others(ctx, trainer, given, made) {
		if reflect.DeepEqual(other, again) {
			return true
		}
	}
	return false
}

// varies tells whether the Trainer may answer something else without the
// change.
func varies(ctx context.Context, trainer *upstream.Trainer, given Given, made, again []object) bool {
	if !reflect.DeepEqual(made, again) {
		return true
	}
	for other := range others(ctx, trainer, given, made) {
		if !reflect.DeepEqual(other, again) {
			return true
		}
	}
	return false
}

// others are more of the Trainer's answers to the same.
func others(ctx context.Context, trainer *upstream.Trainer, given Given, made []object) iter.Seq[[]object] {
	return func(yield func([]object) bool) {
		for range attempts {
			other := trainer.Render(ctx, given.Admitted).Objects
			keepResources(made, other)
			if !yield(other) {
				return
			}
		}
	}
}

// Problems are the webhooks' with the changed input: those with what the user
// wrote, if no rule changes what is judged.
func Problems(ctx context.Context, trainer *upstream.Trainer, given Given, written []upstream.Problem, fired Fired) []upstream.Problem {
	problems := written
	for _, rule := range Rules {
		if rule.Given == nil || !rule.Applies(&given) {
			continue
		}
		given = given.changedBy(rule)
		if !rule.Judges || !tunes(&given) {
			continue
		}
		judged := trainer.Validate(ctx, given.Admitted).Errors
		if !sameFields(judged, problems) {
			fired[rule.Name]++
		}
		problems = judged
	}
	return problems
}

func sameFields(a, b []upstream.Problem) bool {
	fields := func(problems []upstream.Problem) []string {
		var all []string
		for _, p := range problems {
			all = append(all, p.Field)
		}
		slices.Sort(all)
		return all
	}
	return slices.Equal(fields(a), fields(b))
}

func (g Given) changedBy(rule Rule) Given {
	changed := Given{Admitted: g.Clone(), Template: g.Template}
	rule.Given(&changed)
	return changed
}

func pod(job *jobset.ReplicatedJob) *corev1.PodSpec { return &job.Template.Spec.Template.Spec }
