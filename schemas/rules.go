// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trainyard/trainyard/internal/jsontree"
	"github.com/trainyard/trainyard/internal/lazyregexp"
	"github.com/trainyard/trainyard/render/finding"
)

// celRule is a CEL rule in Go.
type celRule struct {
	holds  func(value *jsontree.Value) bool // true for a value of another shape, which is found elsewhere
	field  path                             // below the rule's place, where its message belongs
	remedy string                           // what the CRD's message does not say
}

// celRules holds each rule of the CRDs by its own text. A rule of a new release
// has no row here, and then its schema can't be read.
var celRules = map[string]celRule{
	"self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')": {
		ofText(dnsLabel.MatchString, "metadata", "name"), path{"metadata", "name"}, "use small letters, digits and -, and begin with a letter"},
	"size(self.metadata.name) <= 63": {
		ofText(atMost63, "metadata", "name"), path{"metadata", "name"}, "shorten it"},
	"self == '' || self.matches('^[A-Za-z][A-Za-z0-9+.-]*://.+$')": {
		ofText(emptyOrURI), nil, "begin with a scheme, such as hf:// or s3://"},
	"self in ['trainer.kubeflow.org/trainjob-controller', 'kueue.x-k8s.io/multikueue']": {
		ofText(knownManager), nil, "remove it"},
	"[has(self.torch), has(self.mpi), has(self.jax), has(self.xgboost),has(self.flux)].filter(x, x).size() <= 1": {
		onePolicy, nil, "remove all but one"},
	"self >= 1": {
		atLeast1, nil, ""},
	"!self.exists(c, c == 'node')": {
		notNode, nil, "remove node"},
	"!(has(self.startupPolicy) && self.startupPolicy.startupPolicyOrder == 'InOrder' && self.replicatedJobs.exists(x, has(x.dependsOn)))": {
		startsOneWay, path{"startupPolicy"}, "remove the startupPolicy, or each dependsOn"},
	"self.templates.all(t, !has(t.metadata.namespace) || size(t.metadata.namespace) == 0)": {
		claimsWithoutNamespace, path{"templates"}, "give each a metadata.name and no metadata.namespace"},
}

var (
	dnsLabel = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)
	uri      = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]*://.+$`)
)

// ofText makes a rule of the string at a path within the value.
func ofText(holds func(string) bool, path ...string) func(*jsontree.Value) bool {
	return func(value *jsontree.Value) bool {
		text := value.At(path...)
		return text.Kind != jsontree.String || holds(text.Text)
	}
}

func atMost63(s string) bool   { return utf8.RuneCountInString(s) <= 63 }
func emptyOrURI(s string) bool { return s == "" || uri().MatchString(s) }

func knownManager(s string) bool {
	return s == "trainer.kubeflow.org/trainjob-controller" || s == "kueue.x-k8s.io/multikueue"
}

func onePolicy(value *jsontree.Value) bool {
	policies := 0
	for _, name := range []string{"torch", "mpi", "jax", "xgboost", "flux"} {
		if value.At(name).Kind != jsontree.Missing {
			policies++
		}
	}
	return policies <= 1
}

func atLeast1(value *jsontree.Value) bool {
	n, ok := whole(value)
	return !ok || n >= 1
}

func notNode(value *jsontree.Value) bool {
	return !slices.ContainsFunc(value.Items, func(name jsontree.Value) bool { return name.String() == "node" })
}

// startsOneWay: the rule looks into the jobs, and the API server refuses a
// template that has none.
func startsOneWay(value *jsontree.Value) bool {
	jobs := value.At("replicatedJobs")
	return value.At("startupPolicy", "startupPolicyOrder").String() != "InOrder" ||
		jobs.Kind == jsontree.List && !slices.ContainsFunc(jobs.Items, func(job jsontree.Value) bool {
			return job.At("dependsOn").Kind != jsontree.Missing
		})
}

// claimsWithoutNamespace: the rule looks into the metadata of each claim, and
// the API server refuses one that has none, and a policy without claims.
func claimsWithoutNamespace(value *jsontree.Value) bool {
	claims := value.At("templates")
	return claims.Kind == jsontree.List && !slices.ContainsFunc(claims.Items, func(claim jsontree.Value) bool {
		metadata := claim.At("metadata")
		return metadata.Kind != jsontree.Object || metadata.At("namespace").String() != ""
	})
}

// rule is a CRD's rule at its place in a schema.
type rule struct {
	celRule
	message string // the CRD's own
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *rule) UnmarshalJSON(text []byte) error {
	var written struct {
		Rule    string `json:"rule"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal(text, &written); err != nil {
		return err
	}
	if strings.Contains(written.Rule, "oldSelf") {
		r.holds = always // there is no earlier object to compare with
		return nil
	}
	known, ok := celRules[written.Rule]
	if !ok {
		return fmt.Errorf("no function for the rule %q", written.Rule)
	}
	r.celRule, r.message = known, written.Message
	return nil
}

func always(*jsontree.Value) bool { return true }

// checkRule says of a value that breaks the rule what is wrong, and what to do.
func (r *reporter) checkRule(rule rule, value *jsontree.Value) {
	if rule.holds(value) {
		return
	}
	said := rule.message + butIs(value.At(rule.field...))
	if rule.remedy != "" {
		said += "; " + rule.remedy
	}
	r.below(rule.field, func() { r.add(finding.InvalidValue, "%s", said) })
}
