// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/trainyard/trainyard/render/finding"
)

// Text writes a line for each finding: severity, object, field, message, rule
// and place, in columns. Colour is for terminals.
func Text(w io.Writer, findings []finding.Finding, colour bool) error {
	rows := make([][3]string, len(findings))
	var widths [3]int
	for i, f := range findings {
		rows[i] = [3]string{string(f.Severity), object(f.Object), f.Field}
		for column, cell := range rows[i] {
			widths[column] = max(widths[column], utf8.RuneCountInString(cell))
		}
	}
	for i, f := range findings {
		var line strings.Builder
		for column, cell := range rows[i] {
			if widths[column] == 0 {
				continue
			}
			line.WriteString(painted(cell, f.Severity, colour && column == 0))
			line.WriteString(strings.Repeat(" ", widths[column]-utf8.RuneCountInString(cell)+2))
		}
		line.WriteString(strings.ReplaceAll(f.Message, "\n", "\n    "))
		line.WriteString("  (" + string(f.Rule) + ")")
		if place := place(f.Position); place != "" {
			line.WriteString(" " + place)
		}
		if _, err := fmt.Fprintln(w, line.String()); err != nil {
			return fmt.Errorf("write findings: %w", err)
		}
	}
	return nil
}

// colours are those of a terminal: red, yellow, blue.
var colours = map[finding.Severity]string{finding.Error: "\x1b[31m", finding.Warning: "\x1b[33m", finding.Info: "\x1b[34m"}

func painted(text string, severity finding.Severity, colour bool) string {
	if !colour {
		return text
	}
	return colours[severity] + text + "\x1b[0m"
}

func object(ref finding.Ref) string {
	if ref.Namespace == "" {
		return ref.Name
	}
	return ref.Namespace + "/" + ref.Name
}

func place(p finding.Position) string {
	switch {
	case p.File == "":
		return ""
	case p.Line > 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	default:
		return p.File
	}
}
