// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/trainyard/trainyard/render/finding"
)

// formats say what is wrong with a value; nothing: it is well formed. Those
// that begin with k8s are named as in Kubernetes' declarative validation.
var formats = map[string]func(value string) []string{
	"int32":              func(s string) []string { return wholeWithin(s, math.MinInt32, math.MaxInt32) },
	"int64":              func(s string) []string { return wholeWithin(s, math.MinInt64, math.MaxInt64) },
	"quantity":           quantity,
	"k8s-short-name":     validation.IsDNS1123Label,
	"k8s-long-name":      validation.IsDNS1123Subdomain,
	"k8s-label-key":      validation.IsQualifiedName,
	"k8s-label-value":    validation.IsValidLabelValue,
	"k8s-annotation-key": func(s string) []string { return validation.IsQualifiedName(strings.ToLower(s)) },
}

// formatChecks are the formats as the validator takes them. A value of a type
// that the format does not speak of passes.
func formatChecks() map[string]func(any) bool {
	checks := make(map[string]func(any) bool, len(formats))
	for name, problems := range formats {
		checks[name] = func(value any) bool {
			text, ok := scalar(value)
			return !ok || len(problems(text)) == 0
		}
	}
	return checks
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

func wholeWithin(s string, least, most int64) []string {
	n, err := strconv.ParseInt(s, 10, 64)
	if err == nil && least <= n && n <= most {
		return nil
	}
	if strings.ContainsAny(s, ".eE") {
		return []string{"must be a whole number without point or exponent"}
	}
	return []string{"must be between " + strconv.FormatInt(least, 10) + " and " + strconv.FormatInt(most, 10)}
}

func quantity(s string) []string {
	if _, err := resource.ParseQuantity(s); err != nil || s == "" {
		return []string{"must be a quantity, such as 2, 500m or 16Gi"}
	}
	return nil
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

// outOfRange finds numbers that no field can hold, such as 1e999999999, on which
// the validator would compute for a long time.
func outOfRange(value any, at path) []finding.Finding {
	var found []finding.Finding
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			found = append(found, outOfRange(value[key], at.with(key))...)
		}
	case []any:
		for i, item := range value {
			found = append(found, outOfRange(item, at.with(strconv.Itoa(i)))...)
		}
	case json.Number:
		_, exponent, _ := strings.Cut(strings.ToLower(value.String()), "e")
		if len(value) > 100 || len(exponent) > len("+308") {
			found = append(found, finding.Errorf(finding.InvalidValue, at.field(), "is out of range: %s", quote(value.String())))
		}
	}
	return found
}
