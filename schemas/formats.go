// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"encoding/json"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

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
	"quantity":           {isQuantity, "a quantity, such as 2, 500m or 16Gi", finding.InvalidValue},
	"k8s-short-name":     {none(validation.IsDNS1123Label), "at most 63 small letters, digits and -, beginning and ending with a letter or digit", finding.InvalidMetadata},
	"k8s-long-name":      {none(validation.IsDNS1123Subdomain), "at most 253 small letters, digits, - and ., beginning and ending with a letter or digit", finding.InvalidMetadata},
	"k8s-label-key":      {none(validation.IsQualifiedName), qualifiedName, finding.InvalidMetadata},
	"k8s-annotation-key": {func(s string) bool { return none(validation.IsQualifiedName)(strings.ToLower(s)) }, qualifiedName, finding.InvalidMetadata},
	"k8s-label-value":    {none(validation.IsValidLabelValue), "empty, or at most 63 letters, digits, -, _ and ., beginning and ending with a letter or digit", finding.InvalidMetadata},
}

const qualifiedName = "a name of at most 63 letters, digits, -, _ and ., beginning and ending with a letter or digit, with a domain and a / before it or without"

// none reports whether a check of Kubernetes finds no problem.
func none(problems func(string) []string) func(string) bool {
	return func(s string) bool { return len(problems(s)) == 0 }
}

// formatChecks are the formats as the validator takes them. A value of a type
// that the format does not speak of passes.
func formatChecks() map[string]func(any) bool {
	checks := make(map[string]func(any) bool, len(formats))
	for name, format := range formats {
		checks[name] = func(value any) bool {
			text, ok := scalar(value)
			return !ok || format.fits(text) || isString(value) && ofNumbers(name)
		}
	}
	return checks
}

// ofNumbers: a field that takes strings as well takes any string.
func ofNumbers(format string) bool { return strings.HasPrefix(format, "int") }

func isString(value any) bool {
	_, is := value.(string)
	return is
}

// scalar returns a string or a number as text.
func scalar(value any) (string, bool) {
	switch value := value.(type) {
	case string:
		return value, true
	case json.Number:
		return value.String(), true
	}
	return "", false
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

// whole returns a whole number.
func whole(value any) (int64, bool) {
	number, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	n, err := number.Int64()
	return n, err == nil
}

// outOfRange leads to the numbers that no field can hold, such as 1e999999999,
// on which the validator would compute for a long time.
func outOfRange(value any) []path {
	var found []path
	switch value := value.(type) {
	case map[string]any:
		for key, child := range value {
			found = append(found, below(key, outOfRange(child))...)
		}
	case []any:
		for i, item := range value {
			if paths := outOfRange(item); paths != nil {
				found = append(found, below(strconv.Itoa(i), paths)...)
			}
		}
	case json.Number:
		if _, exponent, _ := strings.Cut(strings.ToLower(value.String()), "e"); len(value) > 100 || len(exponent) > len("+308") {
			found = append(found, nil)
		}
	}
	return found
}

// below puts a step before each path.
func below(step string, paths []path) []path {
	for i, p := range paths {
		paths[i] = append(path{step}, p...)
	}
	return paths
}
