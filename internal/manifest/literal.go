// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import "strings"

// canBeBlock reports whether a string reads best as a literal block and comes
// back from one unchanged.
func canBeBlock(s string) bool {
	body := strings.TrimLeft(s, "\n")
	return strings.Contains(s, "\n") && strings.Trim(s, " \t\n") != "" && body[0] != '\t' && printable(s, "\n\t")
}

// literal writes the header and the lines of a literal block.
func (w *yamlWriter) literal(s string, column int) {
	w.out.WriteByte('|')
	if strings.TrimLeft(s, "\n")[0] == ' ' {
		w.out.WriteByte('2') // or its first line would set the indentation
	}
	body := strings.TrimRight(s, "\n")
	switch len(s) - len(body) {
	case 0:
		w.out.WriteByte('-')
	case 1:
	default:
		w.out.WriteByte('+')
	}
	w.out.WriteByte('\n')
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" {
			w.indent(column)
		}
		w.out.WriteString(line)
		w.out.WriteByte('\n')
	}
}
