// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package jsontree

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"
)

// FuzzRead: the tree is what encoding/json decodes, of the same texts.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-2.5e+3,true,false,null,"x"],"b":{},"c":[]," ":" "}`, ` [ 1 , { "a" : "b" } ] `,
		`"\u00e9\n\"\\\/"`, "\"\xff\"", "\"é\"", `"\ud800"`, `{"a":1,"a":2}`, `7`, `null`,
		"", "{", "}", "[1,]", "[,1]", "{,}", `{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`, "01", "1.", "+1", "-", "tru", `"a`, `"\x"`, "\"\n\"", "{} {}", "[1 2]", "[1]]", "nul", "\x00", "[\x00]",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		want, wantErr := decode(text)
		got, err := Read(text)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("Read: %v; encoding/json: %v", err, wantErr)
		}
		if err != nil {
			return
		}
		if !reflect.DeepEqual(got.Decoded(), want) {
			t.Errorf("got %v, want %v", got.Decoded(), want)
		}
		again, err := decode(got.AppendJSON(nil))
		if err != nil || !reflect.DeepEqual(again, want) {
			t.Errorf("written again: %v, %v; want %v", again, err, want)
		}
	})
}

func decode(text []byte) (any, error) {
	if !json.Valid(text) {
		return nil, io.ErrUnexpectedEOF
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	return value, decoder.Decode(&value)
}

func TestReadGoesAsDeepAsEncodingJSON(t *testing.T) {
	for depth, ok := range map[int]bool{maxDepth: true, maxDepth + 1: false} {
		text := []byte(strings.Repeat("[", depth) + strings.Repeat("]", depth))
		if _, err := Read(text); (err == nil) != ok || json.Valid(text) != ok {
			t.Errorf("%d levels: %v, valid: %t", depth, err, json.Valid(text))
		}
	}
}

func TestAt(t *testing.T) {
	v, err := Read([]byte(`{"a":{"b":1,"b":2},"c":[3]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := v.At("a", "b").Text; got != "2" {
		t.Errorf("a.b is %q", got)
	}
	for _, path := range [][]string{{"x"}, {"a", "x"}, {"c", "x"}, {"a", "b", "x"}} {
		if kind := v.At(path...).Kind; kind != Missing {
			t.Errorf("%v is there, as %d", path, kind)
		}
	}
	if !v.Drop(func(item *Value) bool { return item.Key == "a" }) || string(v.AppendJSON(nil)) != `{"c":[3]}` {
		t.Errorf("without a: %s", v.AppendJSON(nil))
	}
}
