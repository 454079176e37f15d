// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// rulesKeyword holds a CRD's CEL rules.
const rulesKeyword = "x-kubernetes-validations"

// celRule is a CEL rule in Go.
type celRule struct {
	holds  func(value any) bool // true for a value of another shape, which is found elsewhere
	field  string               // below the rule's place, where its message belongs, as a JSON pointer
	remedy string               // what the CRD's message does not say
}

// celRules holds each rule of the CRDs by its own text. A rule of a new release
// has no row here, and then its schema does not compile.
var celRules = map[string]celRule{
	"self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')": {
		ofText(dnsLabel.MatchString, "metadata", "name"), "/metadata/name", "use small letters, digits and -, and begin with a letter"},
	"size(self.metadata.name) <= 63": {
		ofText(atMost63, "metadata", "name"), "/metadata/name", "shorten it"},
	"self == '' || self.matches('^[A-Za-z][A-Za-z0-9+.-]*://.+$')": {
		ofText(emptyOrURI), "", "begin with a scheme, such as hf:// or s3://"},
	"self in ['trainer.kubeflow.org/trainjob-controller', 'kueue.x-k8s.io/multikueue']": {
		ofText(knownManager), "", "remove it"},
	"[has(self.torch), has(self.mpi), has(self.jax), has(self.xgboost),has(self.flux)].filter(x, x).size() <= 1": {
		onePolicy, "", "remove all but one"},
	"self >= 1": {
		atLeast1, "", ""},
	"!self.exists(c, c == 'node')": {
		notNode, "", "remove node"},
	"!(has(self.startupPolicy) && self.startupPolicy.startupPolicyOrder == 'InOrder' && self.replicatedJobs.exists(x, has(x.dependsOn)))": {
		startsOneWay, "/startupPolicy", "remove the startupPolicy, or each dependsOn"},
	"self.templates.all(t, !has(t.metadata.namespace) || size(t.metadata.namespace) == 0)": {
		claimsWithoutNamespace, "/templates", "give each a metadata.name and no metadata.namespace"},
}

var (
	dnsLabel = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)
	uri      = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://.+$`)
)

// ofText makes a rule of the string at a path within the value.
func ofText(holds func(string) bool, path ...string) func(any) bool {
	return func(value any) bool {
		text, ok := within(value, path...).(string)
		return !ok || holds(text)
	}
}

func atMost63(s string) bool   { return utf8.RuneCountInString(s) <= 63 }
func emptyOrURI(s string) bool { return s == "" || uri.MatchString(s) }

func knownManager(s string) bool {
	return s == "trainer.kubeflow.org/trainjob-controller" || s == "kueue.x-k8s.io/multikueue"
}

func onePolicy(value any) bool {
	policies := 0
	for _, name := range []string{"torch", "mpi", "jax", "xgboost", "flux"} {
		if within(value, name) != nil {
			policies++
		}
	}
	return policies <= 1
}

func atLeast1(value any) bool {
	n, ok := whole(value)
	return !ok || n >= 1
}

func notNode(value any) bool {
	names, _ := value.([]any)
	return !slices.Contains(names, any("node"))
}

// startsOneWay: the rule looks into the jobs, and the API server refuses a
// template that has none.
func startsOneWay(value any) bool {
	jobs, there := within(value, "replicatedJobs").([]any)
	return within(value, "startupPolicy", "startupPolicyOrder") != "InOrder" ||
		there && !slices.ContainsFunc(jobs, func(job any) bool { return within(job, "dependsOn") != nil })
}

// claimsWithoutNamespace: the rule looks into the metadata of each claim, and
// the API server refuses one that has none, and a policy without claims.
func claimsWithoutNamespace(value any) bool {
	claims, there := within(value, "templates").([]any)
	return there && !slices.ContainsFunc(claims, func(claim any) bool {
		metadata, there := within(claim, "metadata").(map[string]any)
		namespace, _ := metadata["namespace"].(string)
		return !there || namespace != ""
	})
}

// within returns the value at a path of fields, or nil.
func within(value any, path ...string) any {
	for _, field := range path {
		object, _ := value.(map[string]any)
		value = object[field]
	}
	return value
}

// rulesCompiler compiles the keyword.
type rulesCompiler struct{}

// Compile implements jsonschema.ExtCompiler.
func (rulesCompiler) Compile(_ jsonschema.CompilerContext, schema map[string]any) (jsonschema.ExtSchema, error) {
	entries, _ := schema[rulesKeyword].([]any)
	var compiled rules
	for _, entry := range entries {
		text, _ := within(entry, "rule").(string)
		message, _ := within(entry, "message").(string)
		if strings.Contains(text, "oldSelf") {
			continue // there is no earlier object to compare with
		}
		rule, known := celRules[text]
		if !known {
			return nil, fmt.Errorf("no function for the rule %q", text)
		}
		compiled = append(compiled, messageRule{rule, message})
	}
	if compiled == nil {
		return nil, nil
	}
	return compiled, nil
}

// rules are those of one place in a schema.
type rules []messageRule

type messageRule struct {
	celRule
	message string // the CRD's own
}

// about says of the value that broke the rule what is wrong, and what to do.
func (r messageRule) about(value any) string {
	said := r.message + butIs(pathOf(r.field).from(value))
	if r.remedy == "" {
		return said
	}
	return said + "; " + r.remedy
}

// Validate implements jsonschema.ExtSchema.
func (r rules) Validate(ctx jsonschema.ValidationContext, value any) error {
	var failed []error
	for _, rule := range r {
		if !rule.holds(value) {
			err := ctx.Error(rulesKeyword, "%s", rule.about(value))
			err.InstanceLocation += rule.field
			failed = append(failed, err)
		}
	}
	return group(ctx, rulesKeyword, failed)
}
