// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"strings"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/trainyard/trainyard/internal/syntax"
)

// The rules of names. apimachinery is asked what is wrong with one only where
// something is: it matches regular expressions.
var (
	isLabel      = complaints(syntax.IsDNS1123Label, validation.IsDNS1123Label)
	isLabel1035  = complaints(syntax.IsDNS1035Label, validation.IsDNS1035Label)
	isSubdomain  = complaints(syntax.IsDNS1123Subdomain, validation.IsDNS1123Subdomain)
	isKey        = complaints(syntax.IsQualifiedName, validation.IsQualifiedName)
	isLabelValue = complaints(syntax.IsLabelValue, validation.IsValidLabelValue)
)

func complaints(fits func(string) bool, about func(string) []string) func(string) []string {
	return func(s string) []string {
		if fits(s) {
			return nil
		}
		return about(s)
	}
}

// fit reports whether apimachinery has nothing to say of the annotations.
func fit(annotations map[string]string) bool {
	for key := range annotations {
		if !syntax.IsQualifiedName(strings.ToLower(key)) {
			return false
		}
	}
	return apivalidation.ValidateAnnotationsSize(annotations) == nil
}

// oddLabels are the labels of which apimachinery has to be asked.
func oddLabels(labels map[string]string) map[string]string {
	var odd map[string]string
	for key, value := range labels {
		if syntax.IsQualifiedName(key) && syntax.IsLabelValue(value) {
			continue
		}
		if odd == nil {
			odd = map[string]string{}
		}
		odd[key] = value
	}
	return odd
}
