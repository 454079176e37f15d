// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"regexp"
	"strings"
)

// webhookFields tells the field of those complaints of JobSet's webhook that
// name none, by a part of their text.
var webhookFields = []struct{ text, field string }{
	{"InPlaceRestart", "spec.failurePolicy.restartStrategy"},
	{"DependsOn can't be set", "spec.replicatedJobs[0].dependsOn"},
	{"product of replicas", "spec.replicatedJobs"},
	{"cannot depend on", "spec.replicatedJobs"},
	{"in failure policy", "spec.failurePolicy"},
	{"failure policy rule", "spec.failurePolicy"},
	{"rule names are not unique", "spec.failurePolicy"},
	{"failure policy actions", "spec.failurePolicy"},
	{"does not appear in .spec.ReplicatedJobs", "spec.successPolicy"},
	{"coordinator", "spec.coordinator"},
	{"matching volumeMount", "spec.volumeClaimPolicies"},
	{"conflicts with VolumeClaimPolicy", "spec.volumeClaimPolicies"},
}

func webhookField(field, message string) string {
	for _, known := range webhookFields {
		if strings.Contains(message, known.text) {
			return known.field
		}
	}
	return field
}

// rewrites turn paths that the API gets wrong into those of the fields that it
// means.
var rewrites = []struct {
	wrong *regexp.Regexp
	right string
}{
	// A name is made of the JobSet's and the job's.
	{regexp.MustCompile(`^spec\.replicatedJobs\[\d+\]\.(name|template\.metadata\.name)$`), "metadata.name"},
	{regexp.MustCompile(`^.*\.ownerReferences\.name$`), "metadata.name"},
	{regexp.MustCompile(`\.template\.(labels|annotations)`), ".template.metadata.$1"},
	{regexp.MustCompile(`\.spec\.template\.spec\.template\.metadata\.labels.*`), ".spec.template.metadata.labels"},
	{regexp.MustCompile(`\.spec\.resources\.containers\[(\d+)\].*`), ".spec.containers[$1].resources"},
	{regexp.MustCompile(`\.securityContext\.shareProcessNamespace`), ".shareProcessNamespace"},
	{regexp.MustCompile(`^(spec\.volumeClaimPolicies\[\d+\])\.template(\[\d+\])\.name`), "$1.templates$2.metadata.name"},
	{regexp.MustCompile(`\.serviceAccountName`), ".serviceAccount"},
	// Of an init container the API names the first.
	{regexp.MustCompile(`\.initContainers\[\d+\](\.ports\[\d+\]\.hostPort)$`), ".initContainers$1"},
	// Of two that are the same either may be named.
	{regexp.MustCompile(`\.topologySpreadConstraints\[\d+\]\.\{.*`), ".topologySpreadConstraints"},
	{regexp.MustCompile(`\.restartPolicyRules.*`), ".restartPolicy"},
	// Either is copied to the other.
	{regexp.MustCompile(`\.dataSourceRef`), ".dataSource"},
}

// segment is a step of a path: a name, and an index if it has one.
var segment = regexp.MustCompile(`([^.\[\]]+)|\[([^\]]*)\]`)

// loose are the fields below which the API is careless about paths.
var loose = map[string]bool{
	"affinity": true, "annotations": true, "labels": true, "limits": true, "requests": true, "volumes": true,
	"tolerations": true, "selector": true, "topologyspreadconstraints": true, "securitycontext": true,
	"volumemounts": true, "volumedevices": true, "resources": true, "lifecycle": true,
	"datasource": true, "podfailurepolicy": true, "resizepolicy": true, "envfrom": true, "valuefrom": true, "dnsconfig": true,
}

// steps takes a path apart, as deep as it can be relied on.
func steps(path string) []string {
	for _, rewrite := range rewrites {
		path = rewrite.wrong.ReplaceAllString(path, rewrite.right)
	}
	var all []string
	for _, found := range segment.FindAllStringSubmatch(path, -1) {
		step := strings.ToLower(found[1])
		if step == "" {
			step = "[" + found[2] + "]"
		}
		if len(all) > 0 && loose[all[len(all)-1]] {
			// The index or key belongs to the list, and the rest is careless.
			if isIndex(step) {
				all = append(all, step)
			}
			break
		}
		all = append(all, step)
	}
	return all
}

// samePlace reports whether two paths name the same field, or one a field
// within the other. An index that one of them lacks is not held against it.
func samePlace(a, b string) bool {
	x, y := steps(a), steps(b)
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] == y[0]:
			x, y = x[1:], y[1:]
		case isIndex(x[0]) && !isIndex(y[0]):
			x = x[1:]
		case isIndex(y[0]) && !isIndex(x[0]):
			y = y[1:]
		default:
			return false
		}
	}
	return true
}

func isIndex(step string) bool {
	return strings.HasPrefix(step, "[")
}
