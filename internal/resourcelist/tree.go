// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trainyard/trainyard/internal/manifest"
)

// tree reads an object of regular block YAML as the YAML library does, in a
// tenth of its time: without comments, and with columns only of what is written
// in lines. It returns false if the text is not regular.
func tree(in []byte) (*yaml.Node, bool) {
	b := treeBuilder{in: in}
	if !scan(in, b.visit) || len(b.open) == 0 {
		return nil, false
	}
	b.endLiteral(len(in))
	return b.open[0], true
}

type treeBuilder struct {
	in      []byte
	open    []*yaml.Node // the mapping or list of each level
	vacant  *yaml.Node   // a value that stands on the lines below, or is null
	literal literal      // whose text stands on the lines below
	spare   []yaml.Node  // allocated, and not yet used
}

// maxDepth is how deep the tree may be; the library has a limit too.
const maxDepth = 1000

func (b *treeBuilder) visit(e entry) bool {
	b.endLiteral(e.offset)
	if len(e.levels) > maxDepth || isMerge(e) || !b.enter(e) {
		return false
	}
	if e.key != nil {
		mapping, key := b.open[len(b.open)-1], string(e.key)
		b.add(mapping, tagOf(key), key, e.number).Column = e.levels[len(e.levels)-1].column + 1
		b.vacant = b.addNull(mapping, e.number)
	}
	switch {
	case e.child:
		return true
	case e.block:
		return b.beginLiteral(e)
	default:
		return b.fill(e.value)
	}
}

// isMerge reports whether an entry takes over another mapping's keys.
func isMerge(e entry) bool { return string(e.key) == "<<" || string(e.value) == "<<" }

// enter opens the mappings and lists that begin with an entry, and closes those
// that have ended before it.
func (b *treeBuilder) enter(e entry) bool {
	first := len(e.levels) - 1
	for e.dashed && (!e.levels[first].list || e.levels[first].column != e.column) {
		first--
	}
	b.open = b.open[:min(len(b.open), first+1)]
	for i, l := range e.levels[first:] {
		if first+i == len(b.open) && !b.begin(l, e.number) {
			return false
		}
		if l.list {
			b.vacant = b.addNull(b.open[first+i], e.number)
		}
	}
	return true
}

// begin makes a mapping or a list of the vacant value.
func (b *treeBuilder) begin(l level, line int) bool {
	if len(b.open) == 0 {
		b.vacant = b.node()
	}
	if b.vacant == nil {
		return false
	}
	b.vacant.Kind, b.vacant.Tag = yaml.MappingNode, "!!map"
	if l.list {
		b.vacant.Kind, b.vacant.Tag = yaml.SequenceNode, "!!seq"
	}
	b.vacant.Line, b.vacant.Column = line, l.column+1
	b.open = append(b.open, b.vacant)
	b.vacant = nil
	return true
}

// fill reads what stands on one line into the vacant value. What is neither
// plain nor simply quoted is the library's to read.
func (b *treeBuilder) fill(value []byte) bool {
	node := b.vacant
	b.vacant = nil
	switch inner := string(value[1:max(1, len(value)-1)]); {
	case value[0] == '"' && strings.IndexByte(inner, '\\') < 0:
		node.Tag, node.Value, node.Style = "!!str", inner, yaml.DoubleQuotedStyle
	case value[0] == '\'':
		node.Tag, node.Value, node.Style = "!!str", strings.ReplaceAll(inner, "''", "'"), yaml.SingleQuotedStyle
	case strings.IndexByte("\"[{", value[0]) >= 0:
		return b.parse(value, node)
	default:
		node.Value = string(value)
		node.Tag = tagOf(node.Value)
	}
	return true
}

// tagOf returns the tag of a plain scalar. Words that are no strings are true,
// false, null and their like, and all else that is none begins with no letter.
func tagOf(value string) string {
	first := value[0] | 0x20
	if 'a' <= first && first <= 'z' && (len(value) > len("false") || strings.IndexByte("tfnyo", first) < 0) {
		return "!!str"
	}
	plain := yaml.Node{Kind: yaml.ScalarNode, Value: value}
	return plain.ShortTag()
}

// parse has the library read a value on one line. Alone it could pass for a JSON
// text, whose escapes are more than YAML's.
func (b *treeBuilder) parse(value []byte, into *yaml.Node) bool {
	if value[0] == '{' && bytes.IndexByte(value, '\\') >= 0 {
		return false
	}
	root, err := manifest.Parse(value)
	if err != nil || root == nil {
		return false
	}
	moveTo(into.Line, root)
	*into = *root
	return true
}

func moveTo(line int, node *yaml.Node) {
	node.Line = line
	for _, child := range node.Content {
		moveTo(line, child)
	}
}

// addNull adds a value to a mapping or list; it is null until something is put there.
func (b *treeBuilder) addNull(to *yaml.Node, line int) *yaml.Node {
	return b.add(to, "!!null", "", line)
}

func (b *treeBuilder) add(to *yaml.Node, tag, value string, line int) *yaml.Node {
	added := b.node()
	added.Kind, added.Tag, added.Value, added.Line = yaml.ScalarNode, tag, value, line
	if to.Content == nil {
		to.Content = make([]*yaml.Node, 0, 8) // most hold no more
	}
	to.Content = append(to.Content, added)
	return added
}

// node takes a node out of a block of them, since one by one they are costly.
func (b *treeBuilder) node() *yaml.Node {
	if len(b.spare) == 0 {
		b.spare = make([]yaml.Node, 32)
	}
	n := &b.spare[0]
	b.spare = b.spare[1:]
	return n
}
