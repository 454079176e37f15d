// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trainyard/trainyard/fn"
	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

// renderPaths renders what the paths hold and prints it.
func renderPaths(cmd *cobra.Command, flags renderFlags, paths []string) error {
	out, err := transform(cmd, flags, paths)
	if err != nil || flags.config.Mode != fn.ModeRender {
		return err
	}
	return printItems(cmd.OutOrStdout(), fn.ToApply(out.Items), flags.output.text)
}

// transform renders what the paths hold and prints what was found on stderr.
func transform(cmd *cobra.Command, flags renderFlags, paths []string) (fn.Output, error) {
	items, findings, err := readPaths(cmd.InOrStdin(), paths)
	if err != nil {
		return fn.Output{}, err
	}
	if len(items)+len(findings) == 0 { // a wrong path must not look like an empty package, which an applier prunes
		return fn.Output{}, fmt.Errorf("there is no object in %s; name files, or folders with .yaml, .yml or .json files", strings.Join(paths, ", "))
	}
	previous, problems, err := readPaths(cmd.InOrStdin(), flags.previous)
	if err != nil {
		return fn.Output{}, err
	}
	config := flags.config
	if config.Sources == fn.SourcesAuto {
		config.Sources = fn.SourcesDrop
	}
	out := fn.Transform(fn.Input{Items: items, Previous: previous, Config: config, Findings: slices.Concat(findings, problems)})
	if flags.reads {
		out.Findings = slices.DeleteFunc(out.Findings, func(f finding.Finding) bool { return f.Rule == finding.Orphan })
	}
	if renders := !flags.reads && config.Mode == fn.ModeRender; renders && len(out.Renderings) == 0 && !finding.Blocking(out.Findings) {
		out.Findings = append(out.Findings, finding.Warningf(finding.NotRendered, "", "there is no TrainJob in %s; name the files or folders that hold them", strings.Join(paths, ", ")))
	}
	if err := flags.printFindings(cmd, out.Findings); err != nil {
		return out, err
	}
	if finding.Blocking(out.Findings) {
		return out, errFindings
	}
	return out, nil
}

// printItems writes the objects as YAML documents, or as a List in JSON.
func printItems(w io.Writer, items []*resourcelist.Item, format string) error {
	var out bytes.Buffer
	if format == "json" {
		if err := writeJSON(&out, items); err != nil {
			return err
		}
	} else {
		writeYAML(&out, items)
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write stdout: %w", err)
	}
	return nil
}

func writeYAML(out *bytes.Buffer, items []*resourcelist.Item) {
	for i, item := range items {
		if i > 0 {
			out.WriteString("---\n")
		}
		text := bytes.Trim(item.Text(), "\n")
		out.Write(text)
		if bytes.HasSuffix(item.Text(), []byte("\n\n")) && !bytes.HasSuffix(text, []byte("\n")) {
			out.WriteByte('\n')
		}
		out.WriteByte('\n')
	}
}

func writeJSON(out *bytes.Buffer, items []*resourcelist.Item) error {
	list := struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Items      []json.RawMessage `json:"items"`
	}{APIVersion: "v1", Kind: "List", Items: []json.RawMessage{}}
	for _, item := range items {
		root, err := item.Root()
		if err != nil {
			return err
		}
		document, _ := manifest.JSON(root)
		list.Items = append(list.Items, document)
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(list); err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	return nil
}
