// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"encoding/json"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/trainyard/trainyard/internal/jsontree"
	"github.com/trainyard/trainyard/internal/syntax"
	"github.com/trainyard/trainyard/render/finding"
)

// format is a syntax that JSON Schema does not know.
type format struct {
	fits func(value string) bool
	says string // what a value must be
	rule finding.Rule
}

// formats by name. Those that begin with k8s are named as in Kubernetes'
// declarative validation.
var formats = map[string]format{
	"int32":              {func(s string) bool { return isWhole(s, 32) }, "a whole number from -2147483648 to 2147483647", finding.InvalidValue},
	"int64":              {func(s string) bool { return isWhole(s, 64) }, "a whole number from -2^63 to 2^63-1", finding.InvalidValue},
	"date-time":          {isDateTime, "a date and time, such as 2026-01-31T12:00:00Z", finding.InvalidValue},
	"quantity":           {isQuantity, "a quantity, such as 2, 500m or 16Gi", finding.InvalidValue},
	"k8s-short-name":     {syntax.IsDNS1123Label, "at most 63 small letters, digits and -, beginning and ending with a letter or digit", finding.InvalidMetadata},
	"k8s-long-name":      {syntax.IsDNS1123Subdomain, "at most 253 small letters, digits, - and ., beginning and ending with a letter or digit", finding.InvalidMetadata},
	"k8s-label-key":      {syntax.IsQualifiedName, qualifiedName, finding.InvalidMetadata},
	"k8s-annotation-key": {func(s string) bool { return syntax.IsQualifiedName(strings.ToLower(s)) }, qualifiedName, finding.InvalidMetadata},
	"k8s-label-value":    {syntax.IsLabelValue, "empty, or at most 63 letters, digits, -, _ and ., beginning and ending with a letter or digit", finding.InvalidMetadata},
}

const qualifiedName = "a name of at most 63 letters, digits, -, _ and ., beginning and ending with a letter or digit, with a domain and a / before it or without"

// hasFormat reports whether a value is of a format. A value of a type that the
// format does not speak of passes.
func hasFormat(value *jsontree.Value, name string) bool {
	switch value.Kind {
	case jsontree.Number:
		return formats[name].fits(value.Text)
	case jsontree.String: // a field that takes strings beside numbers takes any
		return strings.HasPrefix(name, "int") || formats[name].fits(value.Text)
	default:
		return true
	}
}

// isWhole reports whether the text is a whole number of some bits, without
// point or exponent: no other text decodes into a Go integer.
func isWhole(s string, bits int) bool {
	_, err := strconv.ParseInt(s, 10, bits)
	return err == nil
}

func isQuantity(s string) bool {
	_, err := resource.ParseQuantity(s)
	return err == nil
}

// isDateTime reports whether the text decodes into a time.
func isDateTime(s string) bool {
	quoted, err := json.Marshal(s)
	return err == nil && new(metav1.Time).UnmarshalJSON(quoted) == nil
}

// whole returns a whole number.
func whole(value *jsontree.Value) (int64, bool) {
	if value.Kind != jsontree.Number {
		return 0, false
	}
	n, err := strconv.ParseInt(value.Text, 10, 64)
	return n, err == nil
}
