// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"io"

	"github.com/trainyard/trainyard/internal/vendoring"
)

// Vendored writes a line for each runtime.
func Vendored(w io.Writer, all []vendoring.Comparison) error {
	t := table{header: []string{"STATUS", "KIND", "NAMESPACE", "NAME", "FILE", "THERE", "IN GIT"}}
	for _, c := range all {
		t.rows = append(t.rows, []string{string(c.Status), c.Ref.Kind, c.Ref.Namespace, c.Ref.Name,
			cmp.Or(c.Here.File, "-"), c.First, c.Second})
	}
	return writeTables(w, []table{t}, false)
}
