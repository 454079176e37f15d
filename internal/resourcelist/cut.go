// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"bytes"
	"fmt"
	"slices"
)

// cut takes a regular list apart without decoding it. It returns false if the
// list is not regular.
func cut(in []byte) (*List, bool, error) {
	c := cutter{in: in, list: &List{}}
	if !scan(in, c.visit) || !c.endSection(len(in)) {
		return nil, false, nil
	}
	if c.kind != Kind {
		return nil, false, fmt.Errorf("the input is of kind %q; a %s is wanted", c.kind, Kind)
	}
	functionConfig, err := config(c.config)
	c.list.FunctionConfig = functionConfig
	return c.list, true, err
}

type cutter struct {
	in    []byte
	list  *List
	kind  string
	names []string // of the sections so far

	section  int // where the current section starts
	item     int // where the current item starts
	object   identifier
	inItem   bool
	isObject bool // the current item is a mapping
	hollow   bool // an item was none
	config   []byte
}

func (c *cutter) visit(e entry) bool {
	switch depth := len(e.levels); {
	case depth == 1:
		return c.beginSection(e)
	case c.name() != "items":
		return true
	case !e.levels[1].list, depth == 2 && e.value != nil, depth > 2 && e.levels[2].list:
		return false // an item that is no object
	case depth <= 3 && e.dashed:
		c.beginItem(e)
	}
	if len(e.levels) == 2 {
		return true // a dash alone: the object stands below
	}
	c.isObject = true
	return c.object.visit(e, 2)
}

func (c *cutter) beginItem(e entry) {
	c.endItem(e.offset)
	if len(c.list.Items) == 0 {
		c.list.open = c.in[c.section:e.offset]
	}
	c.list.column = e.levels[1].column
	c.item, c.inItem, c.isObject, c.object = e.offset, true, false, identifier{}
}

func (c *cutter) name() string {
	if len(c.names) == 0 {
		return ""
	}
	return c.names[len(c.names)-1]
}

func (c *cutter) beginSection(e entry) bool {
	name := string(e.key)
	if slices.Contains(c.names, name) || !c.endSection(e.offset) {
		return false
	}
	c.names, c.section = append(c.names, name), e.offset
	switch name {
	case "kind":
		var ok bool
		c.kind, ok = unquote(e.value)
		return ok
	case "items":
		return e.child || bytes.Equal(e.value, []byte("[]"))
	}
	return true
}

// endSection puts the section that ends here into its place in the list.
func (c *cutter) endSection(end int) bool {
	text := c.in[c.section:end]
	switch name := c.name(); {
	case name == "items":
		c.endItem(end)
		return !c.hollow
	case name == "results":
	case slices.Contains(c.names, "items"):
		c.list.after = append(c.list.after, text...)
	default:
		c.list.before = append(c.list.before, text...)
	}
	if c.name() == "functionConfig" {
		c.config = text
	}
	return true
}

func (c *cutter) endItem(end int) {
	if !c.inItem {
		return
	}
	c.inItem = false
	c.hollow = c.hollow || !c.isObject
	c.list.Items = append(c.list.Items, &Item{Ref: c.object.ref, raw: c.in[c.item:end:end], column: c.list.column})
}
