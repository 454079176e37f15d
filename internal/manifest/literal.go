// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import "strings"

// canBeBlock reports whether a string reads best as a literal block and comes
// back from one unchanged.
func canBeBlock(s string) bool {
	if strings.IndexByte(s, '\n') < 0 {
		return false
	}
	body := strings.TrimLeft(s, "\n")
	return strings.Trim(s, " \t\n") != "" && body[0] != '\t' && printable(s, "\n\t")
}

// literal writes the header and the lines of a literal block.
func (w *yamlWriter) literal(s string, column int) {
	w.out = append(w.out, '|')
	if strings.TrimLeft(s, "\n")[0] == ' ' {
		w.out = append(w.out, '2') // or its first line would set the indentation
	}
	body := strings.TrimRight(s, "\n")
	switch len(s) - len(body) {
	case 0:
		w.out = append(w.out, '-')
	case 1:
	default:
		w.out = append(w.out, '+')
	}
	w.out = append(w.out, '\n')
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" {
			w.spaces(column)
		}
		w.out = append(append(w.out, line...), '\n')
	}
}
