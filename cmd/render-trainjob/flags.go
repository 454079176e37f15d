// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/trainyard/trainyard/fn"
	"github.com/trainyard/trainyard/internal/report"
	"github.com/trainyard/trainyard/render/finding"
)

// renderFlags are the flags of rendering.
type renderFlags struct {
	config   fn.Config
	previous []string
	reads    bool // what was rendered before is read, not rendered: it needs no TrainJob
	output   choice
	findings choice
}

// The first of the outputs is the default one.
func (f *renderFlags) add(flags *pflag.FlagSet, outputs ...string) {
	f.config.BuiltinRuntimes = true
	f.output = choice{outputs[0], outputs}
	f.findings = choice{"text", []string{"text", "json", "sarif", "github"}}
	for _, key := range fn.Keys() {
		flag := flags.VarPF(&keyValue{config: &f.config, key: key, text: initial(key)}, kebab(key.Name), "", usage(key))
		if key.Bool() {
			flag.NoOptDefVal = "true"
		}
	}
	flags.StringArrayVar(&f.previous, "previous", nil, "files or folders of the last render: frozen runs stay, an edit that an applied JobSet can't take is an error")
	flags.VarP(&f.output, "output", "o", "how to print what comes of it: "+strings.Join(outputs, ", "))
	flags.Var(&f.findings, "output-findings", "how to print the findings on stderr: text, json, sarif or github")
}

// initial is what a key holds on the command line before a flag says otherwise.
func initial(key fn.Key) string {
	switch {
	case key.Name == "builtinRuntimes":
		return "true"
	case len(key.Values) > 0:
		return key.Values[0]
	default:
		return ""
	}
}

func usage(key fn.Key) string {
	if key.Values == nil || key.Bool() {
		return key.Usage
	}
	return key.Usage + ": " + strings.Join(key.Values, ", ")
}

// kebab writes a key of the functionConfig as a flag: builtinRuntimes becomes
// builtin-runtimes.
func kebab(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// keyValue is a flag that sets a key of the configuration.
type keyValue struct {
	config *fn.Config
	key    fn.Key
	text   string
}

func (v *keyValue) String() string { return v.text }

func (v *keyValue) Type() string {
	if v.key.Bool() {
		return "bool"
	}
	return "string"
}

func (v *keyValue) Set(text string) error {
	v.text = text
	return v.config.Set(v.key, text)
}

// choice is a flag that takes one of a few words.
type choice struct {
	text  string
	words []string
}

func (c *choice) String() string { return c.text }
func (c *choice) Type() string   { return "string" }

func (c *choice) Set(text string) error {
	if !slices.Contains(c.words, text) {
		return fmt.Errorf("must be one of %s", strings.Join(c.words, ", "))
	}
	c.text = text
	return nil
}

// printFindings writes the findings to stderr in the form that was asked for.
func (f renderFlags) printFindings(cmd *cobra.Command, findings []finding.Finding) error {
	w := cmd.ErrOrStderr()
	switch f.findings.text {
	case "json":
		return report.JSON(w, findings)
	case "sarif":
		return report.SARIF(w, findings)
	case "github":
		return report.GitHub(w, findings)
	default:
		return report.Text(w, findings, onTerminal(w))
	}
}

// onTerminal reports whether colours will be seen. NO_COLOR is honoured.
func onTerminal(w io.Writer) bool { return os.Getenv("NO_COLOR") == "" && isTerminal(w) }

// isTerminal reports whether a stream of the program is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
