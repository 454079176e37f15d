// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// What a Job's policies may hold.
const (
	maxPolicyRules   = 20
	maxExitCodes     = 255
	maxPodConditions = 20
	maxIndexesLength = 64 * 1024
)

func checkPodFailurePolicy(s spot, spec *batchv1.JobSpec) {
	policy := spec.PodFailurePolicy
	if policy == nil {
		return
	}
	rules := s.at("rules")
	rules.atMost(len(policy.Rules), maxPolicyRules)
	for i, rule := range policy.Rules {
		checkPodFailureRule(rules.index(i), spec, rule)
	}
}

func checkPodFailureRule(s spot, spec *batchv1.JobSpec, rule batchv1.PodFailurePolicyRule) {
	among(s.at("action"), rule.Action, batchv1.PodFailurePolicyActionFailJob, batchv1.PodFailurePolicyActionFailIndex,
		batchv1.PodFailurePolicyActionIgnore, batchv1.PodFailurePolicyActionCount)
	if rule.Action == batchv1.PodFailurePolicyActionFailIndex && spec.BackoffLimitPerIndex == nil {
		s.at("action").refuse("FailIndex needs backoffLimitPerIndex on the job")
	}
	if (rule.OnExitCodes == nil) == (len(rule.OnPodConditions) == 0) {
		s.refuse("must have one of onExitCodes and onPodConditions")
	}
	if codes := rule.OnExitCodes; codes != nil {
		checkExitCodes(s.at("onExitCodes"), spec, codes)
	}
	conditions := s.at("onPodConditions")
	conditions.atMost(len(rule.OnPodConditions), maxPodConditions)
	for i, c := range rule.OnPodConditions {
		at := conditions.index(i)
		at.at("type").refuseIf(isKey(string(c.Type)), string(c.Type))
		amongIfSet(at.at("status"), c.Status, corev1.ConditionTrue, corev1.ConditionFalse, corev1.ConditionUnknown)
	}
}

func checkExitCodes(s spot, spec *batchv1.JobSpec, codes *batchv1.PodFailurePolicyOnExitCodesRequirement) {
	among(s.at("operator"), codes.Operator, batchv1.PodFailurePolicyOnExitCodesOpIn, batchv1.PodFailurePolicyOnExitCodesOpNotIn)
	if name := codes.ContainerName; name != nil && !hasContainer(&spec.Template.Spec, *name) {
		s.at("containerName").refuse("there is no container %q", *name)
	}
	values := s.at("values")
	if len(codes.Values) == 0 {
		values.refuse("is empty; name at least one exit code")
	}
	values.atMost(len(codes.Values), maxExitCodes)
	if !slices.IsSorted(codes.Values) {
		values.refuse("must be in ascending order; they are %v", codes.Values)
	}
	seen := names{}
	for i, code := range codes.Values {
		seen.once(values.index(i), strconv.Itoa(int(code)))
		if code == 0 && codes.Operator == batchv1.PodFailurePolicyOnExitCodesOpIn {
			values.index(i).refuse("0 is no failure; leave it out")
		}
	}
}

func checkJobSuccessPolicy(s spot, spec *batchv1.JobSpec) {
	policy := spec.SuccessPolicy
	if policy == nil {
		return
	}
	if !isIndexed(spec) {
		s.refuse("needs completionMode Indexed")
		return
	}
	rules := s.at("rules")
	if len(policy.Rules) == 0 {
		rules.refuse("is empty; give a rule, or leave successPolicy out")
	}
	rules.atMost(len(policy.Rules), maxPolicyRules)
	count, _ := completions(spec)
	for i, rule := range policy.Rules {
		checkSuccessRule(rules.index(i), rule, count)
	}
}

func checkSuccessRule(s spot, rule batchv1.SuccessPolicyRule, completions int32) {
	if rule.SucceededCount == nil && rule.SucceededIndexes == nil {
		s.refuse("must have succeededCount or succeededIndexes")
	}
	most := completions
	if text := rule.SucceededIndexes; text != nil {
		at := s.at("succeededIndexes")
		at.atMost(len(*text), maxIndexesLength)
		n, err := countIndexes(*text, completions)
		if err != nil {
			at.refuse("%q is no list of indexes such as \"0,2-4\": %v", *text, err)
		}
		most = min(most, n)
	}
	if n := rule.SucceededCount; n != nil {
		at := s.at("succeededCount")
		at.notNegative(int64(*n))
		if *n > most {
			at.refuse("may be at most %d, the pods that it counts; it is %d", most, *n)
		}
	}
}

// countIndexes reads a list of indexes and intervals, "0,2-4", that rises and
// stays below completions.
func countIndexes(text string, completions int32) (int32, error) {
	if text == "" {
		return 0, nil
	}
	var total, last int32 = 0, -1
	for part := range strings.SplitSeq(text, ",") {
		first, end, isInterval := strings.Cut(part, "-")
		from, err := index(first, completions)
		to := from
		if isInterval && err == nil {
			to, err = index(end, completions)
		}
		switch {
		case err != nil:
			return 0, err
		case from <= last, isInterval && to <= from:
			return 0, errors.New("the indexes must rise")
		}
		total += to - from + 1
		last = to
	}
	return total, nil
}

func index(text string, completions int32) (int32, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is no index", text)
	}
	if int32(n) >= completions {
		return 0, fmt.Errorf("%d is not below completions, %d", n, completions)
	}
	return int32(n), nil
}
