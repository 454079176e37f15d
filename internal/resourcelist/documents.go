// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/render/finding"
)

// Documents reads a file of manifests: YAML documents or JSON. Empty documents
// are left out and not counted; lists are replaced by their items. A document
// that can't be read is a finding, and so is one that is no object.
func Documents(text []byte, file string) ([]*Item, []finding.Finding) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	var items []*Item
	var findings []finding.Finding
	index := 0
	for _, d := range documents(text) {
		d.position.File, d.position.Index = file, index
		found, problems := d.items()
		items, findings = append(items, found...), append(findings, problems...)
		if len(found)+len(problems) > 0 {
			index++
		}
	}
	return items, findings
}

// document is the text of one document and the place where it starts.
type document struct {
	text     []byte
	position finding.Position
}

// documents cuts a file at its separators. No other line can begin with three
// dashes or dots in YAML.
func documents(text []byte) []document {
	docs := []document{{position: finding.Position{Line: 1}}}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		current := &docs[len(docs)-1]
		switch {
		case separator(line, "---") && len(bytes.TrimSpace(line)) == 3:
			docs = append(docs, document{position: finding.Position{Line: number + 1}})
		case separator(line, "---"):
			first := append([]byte("   "), line[3:]...)
			docs = append(docs, document{text: first, position: finding.Position{Line: number}})
		case separator(line, "..."):
			docs = append(docs, document{position: finding.Position{Line: number + 1}})
		case line[0] == '%' && len(bytes.TrimSpace(current.text)) == 0:
			current.text = append(current.text, '\n') // a directive; keep the count of lines
		default:
			current.text = append(current.text, line...)
		}
	}
	return docs
}

func separator(line []byte, mark string) bool {
	return bytes.HasPrefix(line, []byte(mark)) && (len(line) == 3 || strings.IndexByte(" \t\n", line[3]) >= 0)
}

// items returns the objects of a document.
func (d document) items() ([]*Item, []finding.Finding) {
	object := identifier{}
	if scan(d.text, func(e entry) bool { return object.visit(e, 0) }) && !strings.HasSuffix(object.ref.Kind, "List") && identified(object.ref) {
		return []*Item{{Ref: object.ref, Position: d.position, text: d.text}}, nil
	}
	root, err := manifest.Parse(d.text)
	switch {
	case err != nil:
		return nil, []finding.Finding{d.broken()}
	case root == nil:
		return nil, nil
	}
	ref := refOf(root)
	switch {
	case root.Kind != yaml.MappingNode || !identified(ref):
		return nil, []finding.Finding{d.problem(finding.NotAnObject, "this document has no %s, so it is no object of Kubernetes", missing(ref))}
	case strings.HasSuffix(ref.Kind, "List") && manifest.Field(root, "items") != nil:
		return d.children(root)
	}
	return []*Item{{Ref: ref, Position: d.position, text: d.text, root: root}}, nil
}

// children returns the objects of a list, with the lines where they stand.
func (d document) children(root *yaml.Node) ([]*Item, []finding.Finding) {
	if err := resolveAnchors(root); err != nil {
		return nil, []finding.Finding{d.problem(finding.YAMLSyntax, "%v", err)}
	}
	list := flattened(manifest.Field(root, "items"))
	items, err := children(list)
	if err != nil {
		return nil, []finding.Finding{d.problem(finding.NotAnObject, "%v", err)}
	}
	for i, item := range items {
		item.Position = d.position
		item.Position.Line += list.Content[i].Line - 1
	}
	return items, nil
}

// broken says what is wrong with a document that is no YAML. It is read once
// more, below as many lines as there are above it, so that the error tells the
// file's line.
func (d document) broken() finding.Finding {
	above := bytes.Repeat([]byte("\n"), d.position.Line-1)
	_, err := manifest.Parse(append(above, d.text...))
	f := d.problem(finding.YAMLSyntax, "%v", err)
	if match := lineOfError.FindStringSubmatch(f.Message); match != nil {
		f.Position.Line, _ = strconv.Atoi(match[1]) // digits
	}
	return f
}

// lineOfError finds the line in an error of the YAML reader.
var lineOfError = regexp.MustCompile(`line ([0-9]+)`)

func (d document) problem(rule finding.Rule, format string, args ...any) finding.Finding {
	f := finding.Errorf(rule, "", format, args...)
	f.Position = d.position
	return f
}

// Expand returns the objects of a list item of a ResourceList: those of a
// List or TrainJobList, and of lists in it. It returns nil for any other object.
func (i *Item) Expand() ([]*Item, error) {
	if !strings.HasSuffix(i.Ref.Kind, "List") {
		return nil, nil
	}
	root, err := i.Root()
	if err != nil {
		return nil, err
	}
	list := manifest.Field(root, "items")
	if list == nil {
		return nil, nil
	}
	if err := resolveAnchors(root); err != nil {
		return nil, err
	}
	return children(flattened(list))
}
