// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package syntax tells whether a text is one of Kubernetes' names. It holds the
// rules of k8s.io/apimachinery/pkg/util/validation, under their names, without
// the regular expressions, which every name of every object would cost. What is
// wrong with one that is none, apimachinery says.
package syntax

import "strings"

const (
	maxLabel     = 63
	maxSubdomain = 253
)

// IsDNS1123Label reports whether s is a label of RFC 1123.
func IsDNS1123Label(s string) bool { return len(s) <= maxLabel && isDNSLabel(s) }

// IsDNS1035Label reports whether s is a label of RFC 1035, which begins with a
// letter.
func IsDNS1035Label(s string) bool { return IsDNS1123Label(s) && s[0] >= 'a' }

// IsDNS1123Subdomain reports whether s is a subdomain of RFC 1123.
func IsDNS1123Subdomain(s string) bool {
	if len(s) > maxSubdomain {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if !isDNSLabel(label) {
			return false
		}
	}
	return true
}

// IsQualifiedName reports whether s is a key of labels, or of annotations in
// small letters.
func IsQualifiedName(s string) bool {
	domain, name, qualified := strings.Cut(s, "/")
	if !qualified {
		return s != "" && IsLabelValue(s)
	}
	return name != "" && IsLabelValue(name) && IsDNS1123Subdomain(domain)
}

// IsLabelValue reports whether s is a value of labels.
func IsLabelValue(s string) bool {
	if s == "" {
		return true
	}
	for i := range len(s) {
		if c := s[i]; !isAlphanumeric(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return len(s) <= maxLabel && isAlphanumeric(s[0]) && isAlphanumeric(s[len(s)-1])
}

// isDNSLabel is IsDNS1123Label for any length: apimachinery leaves it open
// within a subdomain.
func isDNSLabel(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isSmall(c) && c != '-' {
			return false
		}
	}
	return s != "" && s[0] != '-' && s[len(s)-1] != '-'
}

func isSmall(c byte) bool        { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }
func isAlphanumeric(c byte) bool { return isSmall(c) || 'A' <= c && c <= 'Z' }
