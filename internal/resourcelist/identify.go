// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/render/finding"
)

// identifier collects an object's reference from the lines of its text.
type identifier struct {
	ref      finding.Ref
	seen     []string // the keys that were read
	metadata bool     // the last key of the object was metadata
}

// visit looks at a line of an object whose keys stand the given number of
// levels deep. It returns false if the reference can't be told by the lines.
func (i *identifier) visit(e entry, base int) bool {
	depth := len(e.levels) - 1 - base
	if depth > 1 {
		return true
	}
	key := string(e.key)
	switch {
	case depth == 0:
		i.metadata = key == "metadata"
		if i.metadata {
			return e.child && i.first(key)
		}
	case depth == 1 && i.metadata && !e.levels[len(e.levels)-1].list:
		key = "metadata." + key
	default:
		return true
	}
	into := i.field(key)
	if into == nil {
		return true
	}
	var ok bool
	*into, ok = unquote(e.value)
	return ok && !e.block && i.first(key)
}

// field returns the part of the reference that a key holds, or nil.
func (i *identifier) field(key string) *string {
	switch key {
	case "apiVersion":
		return &i.ref.APIVersion
	case "kind":
		return &i.ref.Kind
	case "metadata.name":
		return &i.ref.Name
	case "metadata.namespace":
		return &i.ref.Namespace
	}
	return nil
}

// first reports whether a key is met for the first time.
func (i *identifier) first(key string) bool {
	if slices.Contains(i.seen, key) {
		return false
	}
	i.seen = append(i.seen, key)
	return true
}

// identified reports whether a reference says of what kind its object is.
func identified(ref finding.Ref) bool { return ref.APIVersion != "" && ref.Kind != "" }

// missing says what keeps a reference from being identified.
func missing(ref finding.Ref) string {
	switch {
	case ref.Kind != "":
		return "apiVersion"
	case ref.APIVersion != "":
		return "kind"
	default:
		return "apiVersion and no kind"
	}
}

// doubts finds the keys that stand twice of those which say what an object is:
// one reader takes the first, another the last.
func doubts(root *yaml.Node) []finding.Finding {
	keys := []string{"apiVersion", "kind"}
	if strings.HasSuffix(refOf(root).Kind, "List") {
		keys = append(keys, "items")
	}
	found := manifest.Twice(root, keys...)
	for i := range found {
		found[i].Position.Line -= root.Line - 1
	}
	return found
}

// unquote returns the string that a simple scalar stands for.
func unquote(value []byte) (string, bool) {
	s := string(value)
	switch {
	case s == "":
		return "", true
	case s[0] == '"' || s[0] == '\'':
		inner := s[1 : len(s)-1]
		return inner, !bytes.ContainsAny(value[1:len(s)-1], `\'"`)
	case s[0] == '[' || s[0] == '{' || s == "~" || s == "null" || s == "Null" || s == "NULL":
		return "", false
	}
	return s, true
}
