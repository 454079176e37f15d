// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"fmt"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/lazyregexp"
	"github.com/trainyard/trainyard/render/finding"
)

const maxFailureRuleName = 128

var failureRuleName = lazyregexp.New(`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`)

// failureReasons are those that a Job can fail for.
var failureReasons = []string{
	batchv1.JobReasonBackoffLimitExceeded,
	batchv1.JobReasonDeadlineExceeded,
	batchv1.JobReasonFailedIndexes,
	batchv1.JobReasonMaxFailedIndexesExceeded,
	batchv1.JobReasonPodFailurePolicy,
}

func checkSuccessPolicy(s spot, js *jobset.JobSet) {
	if policy := js.Spec.SuccessPolicy; policy != nil {
		checkTargets(s.at("targetReplicatedJobs"), js, policy.TargetReplicatedJobs)
	}
}

func checkTargets(s spot, js *jobset.JobSet, targets []string) {
	for i, target := range targets {
		if position(js, target) < 0 {
			s.index(i).under(finding.PolicyTarget).
				refuse("there is no job %q; the jobs are %s", target, jobNames(js.Spec.ReplicatedJobs))
		}
	}
}

func checkFailurePolicy(s spot, js *jobset.JobSet) {
	policy := js.Spec.FailurePolicy
	if policy == nil {
		return
	}
	s = s.under(finding.FailurePolicy)
	if policy.RestartStrategy == jobset.InPlaceRestart {
		s.at("restartStrategy").refuse(
			"InPlaceRestart is behind JobSet's feature gate of that name, which is off; use Recreate or BlockingRecreate")
	}
	seen := names{}
	for i, rule := range policy.Rules {
		at := s.at("rules").index(i)
		checkFailureRule(at, js, rule)
		if rule.Name != "" {
			seen.once(at.at("name"), rule.Name)
		}
	}
}

func checkFailureRule(s spot, js *jobset.JobSet, rule jobset.FailurePolicyRule) {
	// JobSet names a rule without a name itself.
	if rule.Name != "" && (len(rule.Name) > maxFailureRuleName || !failureRuleName().MatchString(rule.Name)) {
		s.at("name").refuse("%q is not allowed: at most %d characters, a letter first, then letters, digits, '_', ',' and ':'",
			rule.Name, maxFailureRuleName)
	}
	if rule.Action == jobset.RestartJob || rule.Action == jobset.RestartJobAndIgnoreMaxRestarts {
		s.at("action").refuse("%s is behind JobSet's feature gate RestartJob, which is off; use RestartJobSet or FailJobSet", rule.Action)
	}
	checkTargets(s.at("targetReplicatedJobs"), js, rule.TargetReplicatedJobs)
	for i, reason := range rule.OnJobFailureReasons {
		among(s.at("onJobFailureReasons").index(i), reason, failureReasons...)
	}
}

// checkCoordinator: the coordinator is one pod that will exist, and its address
// is written into a label.
func checkCoordinator(s spot, js *jobset.JobSet) {
	c := js.Spec.Coordinator
	if c == nil {
		return
	}
	s = s.under(finding.Coordinator)
	checkCoordinatorPod(s, js, c)
	if address := coordinatorAddress(js, c); len(isLabelValue(address)) > 0 {
		s.refuse("its address %q is written into a label, which takes at most %d characters and no other than letters, digits, '-', '_' and '.'; shorten the names in it",
			address, validation.LabelValueMaxLength)
	}
}

func checkCoordinatorPod(s spot, js *jobset.JobSet, c *jobset.Coordinator) {
	i := slices.IndexFunc(js.Spec.ReplicatedJobs, func(rj jobset.ReplicatedJob) bool { return rj.Name == c.ReplicatedJob })
	if i < 0 {
		s.at("replicatedJob").refuse("there is no job %q; the jobs are %s", c.ReplicatedJob, jobNames(js.Spec.ReplicatedJobs))
		return
	}
	rj := js.Spec.ReplicatedJobs[i]
	if c.JobIndex < 0 || c.JobIndex >= int(rj.Replicas) {
		s.at("jobIndex").refuse("is %d, but job %q has replicas 0 to %d", c.JobIndex, rj.Name, rj.Replicas-1)
		return
	}
	spec := &rj.Template.Spec
	if !isIndexed(spec) || spec.Completions == nil {
		s.at("replicatedJob").refuse("the pods of job %q have no numbers; give it completions and completionMode Indexed", rj.Name)
		return
	}
	if c.PodIndex < 0 || c.PodIndex >= int(*spec.Completions) {
		s.at("podIndex").refuse("is %d, but job %q has pods 0 to %d", c.PodIndex, rj.Name, *spec.Completions-1)
	}
}

func coordinatorAddress(js *jobset.JobSet, c *jobset.Coordinator) string {
	return fmt.Sprintf("%s-%s-%d-%d.%s", js.Name, c.ReplicatedJob, c.JobIndex, c.PodIndex, subdomain(js))
}
