// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package jsontree

import "encoding/json"

// Kind says what a value is.
type Kind uint8

// The kinds. Missing is a value that is not there.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	List
	Object
)

// Value is a JSON value.
type Value struct {
	Kind  Kind
	Key   string  // its name in the object that holds it
	Text  string  // of a string what it says, of a number or boolean how it is written
	Items []Value // of a list or an object, in order
}

// At is the value at a path of fields, or one that is missing. Of a field that
// stands twice it is the last.
func (v *Value) At(path ...string) *Value {
	for _, key := range path {
		if v = v.field(key); v == nil {
			return &Value{}
		}
	}
	return v
}

func (v *Value) field(key string) *Value {
	if v.Kind != Object {
		return nil
	}
	for i := len(v.Items) - 1; i >= 0; i-- {
		if v.Items[i].Key == key {
			return &v.Items[i]
		}
	}
	return nil
}

// String is the value's text if it is a string, else empty.
func (v *Value) String() string {
	if v.Kind != String {
		return ""
	}
	return v.Text
}

// Drop drops the items of which that holds, and reports whether there were any.
func (v *Value) Drop(drops func(*Value) bool) bool {
	kept := 0
	for i := range v.Items {
		if drops(&v.Items[i]) {
			continue
		}
		if kept < i {
			v.Items[kept] = v.Items[i]
		}
		kept++
	}
	dropped := kept < len(v.Items)
	v.Items = v.Items[:kept]
	return dropped
}

// AppendJSON appends the value as JSON without blanks.
func (v *Value) AppendJSON(out []byte) []byte {
	switch v.Kind {
	case Missing, Null:
		return append(out, "null"...)
	case Bool, Number:
		return append(out, v.Text...)
	case String:
		return AppendString(out, v.Text)
	case List:
		return append(v.appendItems(append(out, '[')), ']')
	default:
		return append(v.appendItems(append(out, '{')), '}')
	}
}

func (v *Value) appendItems(out []byte) []byte {
	for i := range v.Items {
		if i > 0 {
			out = append(out, ',')
		}
		if v.Kind == Object {
			out = append(AppendString(out, v.Items[i].Key), ':')
		}
		out = v.Items[i].AppendJSON(out)
	}
	return out
}

// AppendString appends a string as JSON.
func AppendString(out []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return appendEscaped(out, s)
		}
	}
	out = append(out, '"')
	out = append(out, s...)
	return append(out, '"')
}

func appendEscaped(out []byte, s string) []byte {
	escaped, err := json.Marshal(s)
	if err != nil { // a string can always be written
		panic(err)
	}
	return append(out, escaped...)
}

// Decoded is the value as encoding/json decodes it, with json.Number for
// numbers; nil for one that is missing.
func (v *Value) Decoded() any {
	switch v.Kind {
	case Bool:
		return v.Text == "true"
	case Number:
		return json.Number(v.Text)
	case String:
		return v.Text
	case List:
		list := make([]any, len(v.Items))
		for i := range v.Items {
			list[i] = v.Items[i].Decoded()
		}
		return list
	case Object:
		object := make(map[string]any, len(v.Items))
		for i := range v.Items {
			object[v.Items[i].Key] = v.Items[i].Decoded()
		}
		return object
	default:
		return nil
	}
}
