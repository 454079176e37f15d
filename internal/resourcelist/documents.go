// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/trainyard/trainyard/internal/lazyregexp"
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
	item, err := Object(d.text)
	switch {
	case err != nil:
		item = &Item{Position: d.position, text: d.text}
		return nil, item.located(item.Broken())
	case item == nil:
		return nil, nil
	}
	item.Position = d.position
	if !identified(item.Ref) {
		return nil, item.located(finding.Errorf(finding.NotAnObject, "", "this document has no %s, so it is no object of Kubernetes", missing(item.Ref)))
	}
	children, problems := item.Expand()
	if children == nil && problems == nil {
		children = []*Item{item}
	}
	return withoutDoubts(children, item.located(problems...))
}

// withoutDoubts splits items into those of which it can be told what they are,
// and the findings on the others.
func withoutDoubts(items []*Item, problems []finding.Finding) ([]*Item, []finding.Finding) {
	var sure []*Item
	for _, item := range items {
		if len(item.Doubts) == 0 {
			sure = append(sure, item)
		}
		problems = append(problems, item.located(item.Doubts...)...)
	}
	return sure, problems
}

// located says where in its file an item's findings stand.
func (i *Item) located(findings ...finding.Finding) []finding.Finding {
	for n, f := range findings {
		findings[n].Position = i.Position
		findings[n].Position.Line += max(f.Position.Line-1, 0)
	}
	return finding.About(i.Ref, findings)
}

// lineOf finds the line in an error of the YAML reader; 0: it tells none.
func lineOf(message string) int {
	match := lineOfError().FindStringSubmatch(message)
	if match == nil {
		return 0
	}
	line, _ := strconv.Atoi(match[1]) // digits
	return line
}

var lineOfError = lazyregexp.New(`line ([0-9]+)`)
