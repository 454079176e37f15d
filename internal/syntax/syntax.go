// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package syntax tells whether a text is one of Kubernetes' names, without the
// regular expressions of k8s.io/apimachinery, which every name of every object
// would cost. What is wrong with one that is none, apimachinery says.
package syntax

import "strings"

const (
	maxLabel     = 63
	maxSubdomain = 253
)

// Label reports whether s is a label of RFC 1123.
func Label(s string) bool { return len(s) <= maxLabel && isLabel(s) }

// Label1035 reports whether s is a label of RFC 1035, which begins with a letter.
func Label1035(s string) bool { return Label(s) && s[0] >= 'a' }

// Subdomain reports whether s is a subdomain of RFC 1123.
func Subdomain(s string) bool {
	if len(s) > maxSubdomain {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if !isLabel(label) {
			return false
		}
	}
	return true
}

// Key reports whether s is a key of labels: a qualified name.
func Key(s string) bool {
	domain, name, qualified := strings.Cut(s, "/")
	if !qualified {
		return s != "" && Value(s)
	}
	return name != "" && Value(name) && Subdomain(domain)
}

// Value reports whether s is a value of labels.
func Value(s string) bool {
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

// isLabel is Label for any length: apimachinery leaves it open within a
// subdomain.
func isLabel(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isSmall(c) && c != '-' {
			return false
		}
	}
	return s != "" && s[0] != '-' && s[len(s)-1] != '-'
}

func isSmall(c byte) bool        { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }
func isAlphanumeric(c byte) bool { return isSmall(c) || 'A' <= c && c <= 'Z' }
