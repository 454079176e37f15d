// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/trainyard/trainyard/internal/manifest"
)

// TestTreeIsTheLibrarys reads every manifest of this repository both ways.
func TestTreeIsTheLibrarys(t *testing.T) {
	var regular, all int
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, item := range itemsOf(text) {
			all++
			if sameTree(t, path, item.Text()) {
				regular++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("%d of %d objects are regular", regular, all); all < 1000 || regular < all*9/10 {
		t.Errorf("%d of %d objects are regular; nine of ten are wanted", regular, all)
	}
}

// itemsOf reads a ResourceList, or a file of manifests.
func itemsOf(text []byte) []*Item {
	if list, err := Parse(text); err == nil {
		return list.Items
	}
	items, _ := Documents(text, "")
	return items
}

// sameTree reports whether an object is regular, and fails if its tree is not
// the library's then.
func sameTree(t *testing.T, name string, text []byte) bool {
	t.Helper()
	got, ok := tree(text)
	if !ok {
		return false
	}
	want, err := manifest.Parse(text)
	if err != nil {
		t.Errorf("%s: regular, but the library: %v\n%s", name, err, text)
	} else if is, should := drawn(got), drawn(want); !reflect.DeepEqual(is, should) { // in a tenth of cmp's time
		t.Errorf("%s: %s\n%s", name, cmp.Diff(should, is), text)
	}
	return true
}

// drawing is what this program reads of a node.
type drawing struct {
	Kind        yaml.Kind
	Style       yaml.Style
	Tag, Value  string
	Line        int
	FirstColumn int // of a mapping or list in lines
	Content     []drawing
}

func drawn(node *yaml.Node) drawing {
	d := drawing{Kind: node.Kind, Style: node.Style, Tag: node.Tag, Value: node.Value, Line: node.Line}
	for _, child := range node.Content {
		d.Content = append(d.Content, drawn(child))
	}
	if len(node.Content) > 0 && node.Style&yaml.FlowStyle == 0 {
		d.FirstColumn = node.Column
		if node.Kind == yaml.MappingNode && node.Content[0].Column != node.Column {
			d.FirstColumn = -1
		}
	}
	return d
}

// trees are regular texts.
var trees = map[string]string{
	"scalars":     "a: 1\nb: 0x10\nc: yes\nd: null\ne: ~\nf: 1.5\ng: 2026-11-29\ni: .inf\nj: '1'\nk: \"true\"\nl: 8Gi\nm: it's\nn: \"\"\no: ''\np: 0o7\nq: 1_000\n",
	"keys":        "1: a\ntrue: b\n~: c\nx y: e\nx#y: f\nx:y: g\n\u00e9: h\nnull:\n",
	"quotes":      "a: 'it''s'\nb: \"x\\ny\\u00e9\\x41\"\nc: '\\n'\nd: \"it's\"\ne: 'say \"x\"'\nf: \"\\\"\"\n",
	"flow":        "a: []\nb: {}\nc: [a, 'b', {d: e}, ~, \"\\n\"]\nd: {a: 1, b: [x]} # c\ne: [ ]\nf: [a b, c:d]\n",
	"lists":       "a:\n- x\n- - y\n  - z\n- b: c\n  d:\n  - e\n-\n- # none\n-\n  f: g\n- - - h: i\n      j: k\nl:\n    - m\n    -   n: o\n        p: q\n",
	"nulls":       "a:\nb:\n  c:\n  d:\n    - e:\n    -\nf: # none\n",
	"literals":    "a: |\n  x\n   y\n\n  z\n\n\nb: |-\n\n  x\n  \nc: |+\n  x\n\n# c\nd: |\n\ne:\n- |\n  x\n- - |-\n    y\n  - z\nf: |+\n\n\ng: |\n  x\n    \n     \n# c\n\nh: | # c\n  x\n  \ty\n",
	"end":         "a: |+\n  x\n\n\n",
	"keep":        "a:\n  b: |-\n      x\n  # c\n# d\n",
	"comments":    "# a\n\na: b # c\n# d\nc:\n  # e\n  d: e\n  # f\n#g\ne: a#b\n",
	"words":       "b: -x\nc: --x\nd: ---\n",
	"two columns": "a:\n    b: c\n    d:\n     e: f\ng: h\n",
	"emoji":       "a: \U0001F600 x\n\U0001F600: [\U0001F600]\n",
}

func TestTree(t *testing.T) {
	for name, text := range trees {
		t.Run(name, func(t *testing.T) {
			if !sameTree(t, name, []byte(text)) {
				t.Error("not taken for regular")
			}
		})
	}
}

// FuzzTree: what is taken for regular is what the library reads.
func FuzzTree(f *testing.F) {
	for _, text := range trees {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { sameTree(t, "the text", []byte(text)) })
}

func TestTreeRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":  "# a\n",
		"deep":     "a:\n" + strings.Repeat("- ", maxDepth) + "a\n",
		"folded":   "a: >\n  x\n",
		"indented": "a: |2\n   x\n",
		"control":  "a: \u0080\n",
		"JSON":     "a: {\"b\": \"c\\/d\"}\n",
		"merge":    "a:\n  <<: {b: c}\n",
		"marker":   "... a:\n",
		"tab":      "a: |\n  \tx\n",
	} {
		if _, ok := tree([]byte(text)); ok {
			t.Errorf("%s is taken for regular", name)
		}
	}
}
