// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/resourcelist"
)

// insertJSON adds annotations to an object that is JSON, before the others, and
// leaves its layout as it is. It returns the text unchanged if it is no JSON, or
// has one of the annotations with another value.
func insertJSON(item *resourcelist.Item, annotations map[string]string) []byte {
	text := item.Text()
	root, err := item.Root()
	metadata := manifest.Field(root, "metadata")
	if err != nil || metadata == nil || len(metadata.Content) == 0 || !json.Valid(text) {
		return text
	}
	into, head := metadata, true
	if present := manifest.Field(metadata, "annotations"); present != nil {
		if len(present.Content) == 0 || holdsAny(present, annotations) {
			return text
		}
		into, head = present, false
	}
	first := offsetOf(text, into.Content[0])
	l := layoutOf(text, text[bytes.LastIndexByte(text[:first], '{')+1:first])
	return slices.Concat(text[:first], l.annotations(annotations, head), l.comma, text[first:])
}

// layout is how a text of JSON sets its objects: what stands before the first
// key of one, and behind its colons and commas.
type layout struct{ gap, colon, comma []byte }

func layoutOf(text, gap []byte) layout {
	l := layout{gap: gap, colon: []byte(":"), comma: append([]byte(","), gap...)}
	if bytes.Contains(text, []byte(`": `)) {
		l.colon = []byte(": ")
		if len(gap) == 0 {
			l.comma = []byte(", ")
		}
	}
	return l
}

// deeper is the layout of an object within one whose keys are two levels deep.
func (l layout) deeper() layout {
	if indent, lines := bytes.CutPrefix(l.gap, []byte("\n")); lines {
		step := indent[:len(indent)/2]
		return layout{slices.Concat(l.gap, step), l.colon, slices.Concat(l.comma, step)}
	}
	return l
}

// annotations writes annotations; with head, below the key annotations.
func (l layout) annotations(annotations map[string]string, head bool) []byte {
	within := l
	if head {
		within = l.deeper()
	}
	var pairs [][]byte
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		pairs = append(pairs, slices.Concat(quoted(key), l.colon, quoted(annotations[key])))
	}
	joined := bytes.Join(pairs, within.comma)
	if !head {
		return joined
	}
	return slices.Concat(quoted("annotations"), l.colon, []byte("{"), within.gap, joined, l.gap, []byte("}"))
}

func quoted(s string) []byte {
	text, _ := json.Marshal(s) //nolint:errchkjson // a string can always be marshalled
	return text
}

// offsetOf returns where in a text a node begins: its column counts characters.
func offsetOf(text []byte, node *yaml.Node) int {
	offset := 0
	for range node.Line - 1 {
		offset += bytes.IndexByte(text[offset:], '\n') + 1
	}
	for range node.Column - 1 {
		_, size := utf8.DecodeRune(text[offset:])
		offset += size
	}
	return offset
}

// asJSON writes an edited object anew as JSON: on one line if it was, else
// indented.
func asJSON(was []byte, root *yaml.Node) []byte {
	text, _ := manifest.JSON(root) // what it could find was there before
	if bytes.Contains(bytes.TrimSpace(was), []byte("\n")) {
		var indented bytes.Buffer
		_ = json.Indent(&indented, text, "", "  ") // it is JSON
		text = indented.Bytes()
	}
	return append(text, '\n')
}
