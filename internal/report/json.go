// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/trainyard/trainyard/render/finding"
)

// JSON writes the findings as a list, as finding.Finding has them.
func JSON(w io.Writer, findings []finding.Finding) error {
	if findings == nil {
		findings = []finding.Finding{}
	}
	return indented(w, findings)
}

func indented[T any](w io.Writer, value T) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}
