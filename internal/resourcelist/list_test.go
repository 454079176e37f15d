// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/render/finding"
)

const header = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"

// regular are lists that the scanner must take apart itself.
var regular = map[string]string{
	"compact":     header + "items:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n    namespace: b\n  data:\n    k: v\n- apiVersion: v1\n  kind: Secret\n  metadata:\n    name: 'c'\n",
	"indented":    header + "items:\n  - apiVersion: v1\n    kind: ConfigMap\n    metadata:\n      name: \"a\"\n  - apiVersion: v1\n    kind: Secret\n    metadata: \n      labels: {a: b}\n      name: c\n",
	"wide dash":   header + "items:\n-   apiVersion: v1\n    kind: ConfigMap\n    metadata:\n        name: a\n",
	"comments":    "# top\n" + header + "items: # here\n# one\n- apiVersion: v1 # two\n  # three\n  kind: A\n# four\n- apiVersion: v1\n  kind: B\n# five\nfunctionConfig:\n  kind: X\n# six\n",
	"config":      header + "functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  data:\n    mode: Check\nitems:\n- apiVersion: v1\n  kind: A\n",
	"empty":       header + "items: []\n",
	"no items":    header + "functionConfig:\n  kind: X\n",
	"block":       header + "items:\n- apiVersion: v1\n  kind: A\n  data:\n    s: |\n      - not: an item\n      #no comment\n\n      \ttab\n      key: x\n    t: >-\n      a\n      b\n    u: |2-\n       x\n  list:\n  - |\n    a: b\n  - - x\n    - y\n- apiVersion: v1\n  kind: B\n",
	"block end":   header + "items:\n- apiVersion: v1\n  kind: A\n  a:\n    b: |+\n      x\n\n\n- apiVersion: v1\n  kind: B\n",
	"flow":        header + "items:\n- apiVersion: v1\n  kind: A\n  command: [bash, -c, \"a ] b\", 'it''s']\n  o: {a: [1, 2], b: {}} # c\n",
	"null":        header + "items:\n- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n  spec:\n  status:\n- apiVersion: v1\n  kind: B\n",
	"lone dash":   header + "items:\n-\n  apiVersion: v1\n  kind: A\n- # words\n  # more\n  apiVersion: v1\n  kind: B\n  list:\n  -\n    a: b\n  - # c\n    - d\n",
	"results":     header + "items:\n- apiVersion: v1\n  kind: A\nresults:\n- message: old\n",
	"name deeper": header + "items:\n- apiVersion: v1\n  kind: A\n  spec:\n    metadata:\n      name: no\n    name: no\n  metadata:\n    ownerReferences:\n    - name: no\n    labels:\n      name: no\n    name: yes-this\n",
	"blank lines": header + "items:\n\n- apiVersion: v1\n\n  kind: A\n\n- apiVersion: v1\n  kind: B\n\n",
}

// irregular are lists that kyaml must read.
var irregular = map[string]string{
	"json":             `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[{"apiVersion":"v1","kind":"A","metadata":{"name":"x"}}]}`,
	"anchor":           header + "items:\n- apiVersion: v1\n  kind: A\n  x: &x\n    y: 1\n- apiVersion: v1\n  kind: B\n  x: *x\n",
	"merge":            header + "items:\n- apiVersion: v1\n  kind: A\n  x: &x\n    y: 1\n- apiVersion: v1\n  kind: B\n  x:\n    <<: *x\n    z: 2\n",
	"string of lines":  header + "items:\n- apiVersion: v1\n  kind: A\n  x: \"a\n- b\"\n",
	"single of lines":  header + "items:\n- apiVersion: v1\n  kind: A\n  x: 'a\n\n    b'\n",
	"plain of lines":   header + "items:\n- apiVersion: v1\n  kind: A\n  x: a\n    b\n",
	"crlf":             strings.ReplaceAll(header+"items:\n- apiVersion: v1\n  kind: A\n  x: |\n    a\n    b\n", "\n", "\r\n"),
	"quoted key":       header + "items:\n- apiVersion: v1\n  kind: A\n  \"x\": a\n",
	"no newline":       header + "items:\n- apiVersion: v1\n  kind: A",
	"tag":              header + "items:\n- apiVersion: v1\n  kind: A\n  x: !!str 1\n",
	"document":         "---\n" + header + "items:\n- apiVersion: v1\n  kind: A\n",
	"tabs":             header + "items:\n- apiVersion: v1\n  kind: A\n  x:\ta\n",
	"complex":          header + "items:\n- apiVersion: v1\n  kind: A\n  ? x\n  : a\n",
	"flow metadata":    header + "items:\n- apiVersion: v1\n  kind: A\n  metadata: {name: x}\n",
	"escaped name":     header + "items:\n- apiVersion: v1\n  kind: A\n  metadata:\n    name: \"\\x61\"\n",
	"indented fold":    header + "items:\n- apiVersion: v1\n  kind: A\n  x: >\n    a\n     b\n    c",
	"comment in block": header + "items:\n- apiVersion: v1\n  kind: A\n  x: |\n      a\n    # b\n  y: c\n",
}

func TestCutReadsWhatTheSDKReads(t *testing.T) {
	for name, in := range regular {
		t.Run(name, func(t *testing.T) {
			list, ok, err := cut([]byte(in))
			if err != nil || !ok {
				t.Fatalf("regular: %v, error: %v", ok, err)
			}
			sameAsSDK(t, in, list)
			if strings.Contains(in, "items:") && !strings.Contains(in, "results:") {
				if diff := cmp.Diff(in, string(list.Bytes(list.Items, nil))); diff != "" {
					t.Errorf("bytes changed: %s", diff)
				}
			}
		})
	}
}

func TestWholeReadsTheRest(t *testing.T) {
	for name, in := range irregular {
		t.Run(name, func(t *testing.T) {
			if _, ok, err := cut([]byte(in)); ok || err != nil {
				t.Errorf("taken for regular: %v, error: %v", ok, err)
			}
			list, err := Parse([]byte(in))
			if err != nil {
				t.Fatal(err)
			}
			sameAsSDK(t, in, list)
			once := list.Bytes(list.Items, nil)
			again, err := Parse(once)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(once), string(again.Bytes(again.Items, nil))); diff != "" {
				t.Errorf("a second pass changes bytes: %s", diff)
			}
		})
	}
}

// sameAsSDK compares the items with those that the function SDK reads, and
// their references and objects with those of the list read as a whole.
func sameAsSDK(t *testing.T, in string, list *List) {
	t.Helper()
	want, err := sdk.ParseResourceList([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Items) == 0 && len(list.Items) == 0 {
		return
	}
	if len(list.Items) != len(want.Items) {
		t.Fatalf("%d items, the SDK reads %d", len(list.Items), len(want.Items))
	}
	whole, err := manifest.Parse([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	nodes := manifest.Field(whole, "items").Content
	for i, item := range list.Items {
		node := nodes[i]
		if diff := cmp.Diff(refOf(node), item.Ref); diff != "" {
			t.Errorf("item %d: %s", i, diff)
		}
		want := decoded(t, node)
		if want == nil {
			continue // nobody's object: no API server takes a null key or an unknown tag
		}
		if diff := cmp.Diff(want, objectOf(t, item.Text())); diff != "" {
			t.Errorf("item %d: %s", i, diff)
		}
		sameTree(t, item.Ref.Name, item.Text())
	}
}

func objectOf(t *testing.T, text []byte) any {
	t.Helper()
	root, err := manifest.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return decoded(t, root)
}

func decoded(t *testing.T, node *yaml.Node) any {
	t.Helper()
	out, wrong := manifest.JSON(node)
	if finding.Blocking(wrong) {
		return nil
	}
	var object any
	if err := json.Unmarshal(out, &object); err != nil {
		t.Fatal(err)
	}
	return object
}

// FuzzParse holds the scanner against the SDK: whatever the SDK can read, both
// read as the same objects; untouched items come out as the same bytes.
func FuzzParse(f *testing.F) {
	for _, in := range regular {
		f.Add(in)
	}
	for _, in := range irregular {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		sameTree(t, "the text itself", []byte(in))
		list, err := Parse([]byte(in))
		if err != nil || !readable(in) {
			return
		}
		sameAsSDK(t, in, list)
		once := list.Bytes(list.Items, nil)
		again, err := Parse(once)
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if !bytes.Equal(once, again.Bytes(again.Items, nil)) {
			t.Errorf("a second pass changes bytes:\n%s", once)
		}
	})
}

// readable reports whether the SDK reads items; on some texts it panics.
func readable(in string) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	list, err := sdk.ParseResourceList([]byte(in))
	return err == nil && len(list.Items) > 0
}

func TestParseRefuses(t *testing.T) {
	for name, in := range map[string]string{
		"nothing":      " \n",
		"other kind":   "apiVersion: v1\nkind: List\nitems: []\n",
		"no yaml":      "a: [",
		"twice":        header + "items: []\nitems: []\n",
		"null items":   header + "items:\n-\n- apiVersion: v1\n  kind: A\n",
		"scalar items": header + "items:\n- a\n",
		"text":         "hello\n",
		"open flow":    header + "items:\n- apiVersion: v1\n  kind: A\n  x: [\n- a]\n",
		"blanks":       header + "items:\n- apiVersion: v1\n  kind: A\n  x: |\n        \n    b\n",
		"bomb":         header + "items:\n- a: &a [x,x,x,x,x,x,x,x,x]\n  b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n  c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n  d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n  e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\n  f: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n  g: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n  h: [*g,*g,*g,*g,*g,*g,*g,*g,*g]\n",
	} {
		if _, err := Parse([]byte(in)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestAConfigThatIsNoObjectIsKept(t *testing.T) {
	for _, start := range []string{"", "---\n"} { // a regular list, and another
		for config, there := range map[string]bool{"hello": true, "[a]": true, "{}": true, "null": false} {
			list, err := Parse([]byte(start + header + "functionConfig: " + config + "\nitems: []\n"))
			if err != nil || (list.FunctionConfig != nil) != there {
				t.Errorf("%s%s: %v, %v", start, config, list, err)
			}
		}
	}
}

func TestNewItemsTakeTheIndentationOfTheList(t *testing.T) {
	list, err := Parse([]byte(regular["indented"]))
	if err != nil {
		t.Fatal(err)
	}
	added := New(list.Items[0].Ref, []byte("# why\napiVersion: v1\nkind: New\ndata: |\n  a\n\n  b\n"))
	out := string(list.Bytes([]*Item{list.Items[1], added}, []byte("- message: m\n")))
	want := header + "items:\n  - apiVersion: v1\n    kind: Secret\n    metadata: \n      labels: {a: b}\n      name: c\n" +
		"  - # why\n    apiVersion: v1\n    kind: New\n    data: |\n      a\n\n      b\nresults:\n- message: m\n"
	if diff := cmp.Diff(want, out); diff != "" {
		t.Error(diff)
	}
}

func TestDocuments(t *testing.T) {
	in := "\uFEFF# words\n---\n\n---\r\napiVersion: v1\r\nkind: A\r\nmetadata:\r\n  name: a\r\n--- # next\n{\"apiVersion\": \"v1\", \"kind\": \"B\"}\n...\n%YAML 1.2\n---\n" +
		"apiVersion: v1\nkind: TrainJobList\nitems:\n- apiVersion: t/v1\n  kind: TrainJob\n  metadata: {name: x}\n- apiVersion: t/v1\n  kind: TrainJob\n---\njust: data\n---\na: [\n"
	items, findings := Documents([]byte(in), "f.yaml")
	var got []string
	for _, item := range items {
		got = append(got, fmt.Sprintf("%s/%s %d %d", item.Ref.Kind, item.Ref.Name, item.Position.Index, item.Position.Line))
	}
	for _, f := range findings {
		got = append(got, fmt.Sprintf("%s %d %d", f.Rule, f.Position.Index, f.Position.Line))
	}
	want := []string{"A/a 0 5", "B/ 1 9", "TrainJob/x 2 17", "TrainJob/ 2 20", "not-an-object 3 23", "yaml-syntax 4 25"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func benchmarkList(n int) []byte {
	var b bytes.Buffer
	b.WriteString(header + "items:\n")
	for i := range n {
		fmt.Fprintf(&b, "- apiVersion: trainer.kubeflow.org/v1alpha1\n  kind: TrainJob\n  metadata:\n    name: job-%d\n    namespace: team-a\n    labels:\n      app: x\n  spec:\n    runtimeRef:\n      name: torch-distributed\n"+
			"    trainer:\n      image: registry.example/train:1\n      numNodes: 4\n      resourcesPerNode:\n        limits:\n          cpu: 8\n          nvidia.com/gpu: 8\n      env:\n      - name: A\n        value: \"1\"\n      - name: B\n        value: x\n"+
			"      command:\n      - bash\n      - -c\n      args:\n      - |\n        set -eu\n        torchrun train.py --lr 5e-7\n        echo done\n", i)
	}
	return b.Bytes()
}

func BenchmarkIdentity(b *testing.B) {
	in := benchmarkList(1000)
	b.ReportAllocs()
	for b.Loop() {
		list, err := Parse(in)
		if err != nil {
			b.Fatal(err)
		}
		if out := list.Bytes(list.Items, nil); len(out) != len(in) {
			b.Fatal(len(out))
		}
	}
}

func BenchmarkDecodeEach(b *testing.B) {
	in := benchmarkList(1000)
	b.ReportAllocs()
	for b.Loop() {
		list, err := Parse(in)
		if err != nil {
			b.Fatal(err)
		}
		for _, item := range list.Items {
			if _, err := item.Root(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkSDKIdentity(b *testing.B) {
	in := benchmarkList(1000)
	b.ReportAllocs()
	for b.Loop() {
		list, err := sdk.ParseResourceList(in)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := list.ToYAML(); err != nil {
			b.Fatal(err)
		}
	}
}
