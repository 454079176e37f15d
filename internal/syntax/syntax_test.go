// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Fuzz: each rule takes what apimachinery takes, and nothing else.
func Fuzz(f *testing.F) {
	for _, s := range []string{
		"", "a", "A", "0", "-", ".", "_", "/", "a-", "-a", "a.b", "a..b", ".a", "a.", "a_b", "a/b", "/b", "a/", "a/b/c", "A/b", "a.b/C_d", "a-.b/c",
		"0a", "é", "a b", "a\n", "\x00", "node", "nvidia.com/gpu", "trainer.kubeflow.org/trainjob-ancestor-step",
		strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a.", 126) + "a", strings.Repeat("a.", 127), strings.Repeat("a", 253), strings.Repeat("a", 254),
		strings.Repeat("a", 253) + "/" + strings.Repeat("b", 63), strings.Repeat("a", 254) + "/b", "a/" + strings.Repeat("b", 64),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, rule := range map[string]struct {
			ours   func(string) bool
			theirs func(string) []string
		}{
			"IsDNS1123Label":     {IsDNS1123Label, validation.IsDNS1123Label},
			"IsDNS1035Label":     {IsDNS1035Label, validation.IsDNS1035Label},
			"IsDNS1123Subdomain": {IsDNS1123Subdomain, validation.IsDNS1123Subdomain},
			"IsQualifiedName":    {IsQualifiedName, validation.IsQualifiedName},
			"IsLabelValue":       {IsLabelValue, validation.IsValidLabelValue},
		} {
			if complaints := rule.theirs(s); rule.ours(s) != (len(complaints) == 0) {
				t.Errorf("%s(%q) is %t; apimachinery: %v", name, s, rule.ours(s), complaints)
			}
		}
	})
}
