// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// table is what is shown in columns. One without rows is not shown.
type table struct {
	title  string
	header []string
	rows   [][]string
}

// writeTables writes tables for a terminal, or for a comment on a pull request.
func writeTables(w io.Writer, tables []table, markdown bool) error {
	var out bytes.Buffer
	for _, t := range tables {
		switch {
		case len(t.rows) == 0:
			continue
		case out.Len() > 0:
			out.WriteByte('\n')
		}
		if markdown {
			t.markdown(&out)
		} else {
			t.text(&out)
		}
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write tables: %w", err)
	}
	return nil
}

func (t table) text(out *bytes.Buffer) {
	if t.title != "" {
		out.WriteString(t.title + "\n")
	}
	rows := append([][]string{t.header}, t.rows...)
	widths := make([]int, len(t.header))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(filled(cell)))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(filled(cell))
			line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(filled(cell))+2))
		}
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

func filled(cell string) string {
	if cell == "" {
		return "-"
	}
	return cell
}

func (t table) markdown(out *bytes.Buffer) {
	if t.title != "" {
		out.WriteString("**" + t.title + "**\n\n")
	}
	fmt.Fprintf(out, "| %s |\n|%s\n", strings.Join(t.header, " | "), strings.Repeat(" --- |", len(t.header)))
	for _, row := range t.rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = strings.NewReplacer("|", `\|`, "\n", " ").Replace(cell)
		}
		fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
	}
}
