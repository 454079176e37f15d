// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package nearest

import "testing"

func TestName(t *testing.T) {
	known := []string{"numNodes", "numProcPerNode", "args", "env", "command"}
	for given, want := range map[string]string{
		"numNode":         "numNodes",
		"num_nodes":       "numNodes",
		"numprocpernode":  "numProcPerNode",
		"numProcsPerNode": "numProcPerNode",
		"arg":             "args",
		"comand":          "command",
		"mlPolicy":        "",
		"":                "",
	} {
		if got := Name(given, known); got != want {
			t.Errorf("Name(%q) = %q, want %q", given, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"ab", "ba", 2}, {"same", "same", 0},
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
