// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trainyard/trainyard/fn"
	"github.com/trainyard/trainyard/internal/golden"
	"github.com/trainyard/trainyard/internal/report"
)

// TestPicture draws what explain prints on a terminal, for the README.
func TestPicture(t *testing.T) {
	picture, err := filepath.Abs("../../docs/images/explain.svg")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../examples/own-runtime")
	items, _, err := readPaths(nil, []string{"trainjob.yaml", "runtime.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	config := fn.Config{Sources: fn.SourcesDrop}
	config.Render.Explain = true
	var screen bytes.Buffer
	if err := report.Explain(&screen, explained(fn.Transform(fn.Input{Items: items, Config: config})), true); err != nil {
		t.Fatal(err)
	}
	golden.File(t, picture, []byte(svg("render-trainjob explain trainjob.yaml runtime.yaml", screen.String())))
}

const (
	charWidth, lineHeight = 7.25, 17
	margin                = 14
)

// colour finds a coloured piece of a line.
var colour = regexp.MustCompile("\x1b\\[(\\d+)m(.*?)\x1b\\[0m")

// svg draws the lines of a terminal below the command that printed them.
func svg(command, text string) string {
	lines := append([]string{"$ " + command}, strings.Split(strings.TrimSuffix(text, "\n"), "\n")...)
	widest := 0
	var drawn strings.Builder
	for i, line := range lines {
		widest = max(widest, utf8.RuneCountInString(colour.ReplaceAllString(line, "$2")))
		line = colour.ReplaceAllString(html.EscapeString(line), `<tspan class="c$1">$2</tspan>`)
		fmt.Fprintf(&drawn, `<text x="%d" y="%d">%s</text>`+"\n", margin, margin+(i+1)*lineHeight, line)
	}
	width, height := int(float64(widest)*charWidth)+2*margin, len(lines)*lineHeight+2*margin
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="%s">
<style>
text { font: 12px ui-monospace, Menlo, Consolas, monospace; fill: #e6edf3; white-space: pre }
.c90 { fill: #8b949e } .c33 { fill: #e3b341 } .c36 { fill: #56d4dd } .c35 { fill: #d2a8ff } .c32 { fill: #7ee787 }
</style>
<rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>
%s</svg>
`, width, height, width, height, html.EscapeString(command), drawn.String())
}
