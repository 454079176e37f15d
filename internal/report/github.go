// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/trainyard/trainyard/render/finding"
)

// GitHub writes a workflow command for each finding, which GitHub shows beside
// its line.
func GitHub(w io.Writer, findings []finding.Finding) error {
	commands := map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning", finding.Info: "notice"}
	for _, f := range findings {
		properties := []string{"title=" + property(string(f.Rule))}
		if f.Position.File != "" {
			properties = append(properties, "file="+property(f.Position.File))
		}
		if f.Position.Line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", f.Position.Line))
		}
		message := strings.Join(nonEmpty(object(f.Object), f.Field, f.Message), ": ")
		if _, err := fmt.Fprintf(w, "::%s %s::%s\n", commands[f.Severity], strings.Join(properties, ","), data(message)); err != nil {
			return fmt.Errorf("write findings: %w", err)
		}
	}
	return nil
}

func nonEmpty(words ...string) []string {
	var there []string
	for _, word := range words {
		if word != "" {
			there = append(there, word)
		}
	}
	return there
}

// The characters that end a command or a property are escaped as GitHub's
// toolkit does it.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace
)
