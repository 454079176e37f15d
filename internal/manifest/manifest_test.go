// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml2 "sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/render/finding"
)

func TestYAMLReadsAsPeopleWrite(t *testing.T) {
	in := `{"kind":"JobSet","apiVersion":"jobset.x-k8s.io/v1alpha2","metadata":{"name":"a","creationTimestamp":null,"labels":{"on":"yes"}},` +
		`"spec":{"replicatedJobs":[{"name":"node","template":{"metadata":{},"spec":{"containers":[{"name":"node","resources":{},"command":["bash","-c"],` +
		`"args":["set -eu\n\nif [ -f /a ]; then\n\techo \"a: b\"  \nfi\n","a \u003c b"],"env":[{"name":"A","value":"0755"},{"name":"B","value":"1e3"},{"name":"C","value":"--x=1"}]}],` +
		`"volumes":[{"name":"tmp","emptyDir":{}}]}}}]},"status":{"restarts":0}}`
	want := `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata:
  name: a
  labels:
    "on": "yes"
spec:
  replicatedJobs:
  - name: node
    template:
      spec:
        containers:
        - name: node
          command:
          - bash
          - -c
          args:
          - |
            set -eu

            if [ -f /a ]; then
            	echo "a: b"  
            fi
          - a < b
          env:
          - name: A
            value: "0755"
          - name: B
            value: "1e3"
          - name: C
            value: --x=1
        volumes:
        - name: tmp
          emptyDir: {}
`
	if diff := cmp.Diff(want, string(YAML([]byte(in)))); diff != "" {
		t.Error(diff)
	}
}

func TestYAMLKeepsWhatIsNoJSON(t *testing.T) {
	const in = "kind: JobSet\n"
	if diff := cmp.Diff(in, string(YAML([]byte(in)))); diff != "" {
		t.Error(diff)
	}
}

// strange are strings that one YAML reader or another is known to take wrongly.
var strange = []string{
	"", " ", "a ", " a", "y", "No", "ON", "null", "~", "true", "0", "0755", "0o7", "0x1F", "0b1", "1_000", "1e3", "5e-7", ".5", "-1", "+1", "+_1", "1:30",
	"2024-01-01", "2001-12-14t21:59:43.10-05:00", ".inf", "-.INF", ".nan", "=", "<<", "-", "--", "---", "...", "... a", "- a", "-c", "--flag", "?", ": ", "a: b", "a:", "a #b", "#a",
	"a\n", "a\nb", "a\nb\n\n", "\na", "\n\n  a\n", "  a\nb", "\ta\nb", "a\n\tb \n \nc", "\n", "\n\n", " \n", "a\r\nb", "a\tb", "a\x00b", "a\u0085b\nc", "a\u2028b", "\ufeffa\nb",
	"'", `"`, `\`, `{"a": "b"}`, "it's", "`x`", "@x", "%x", "&x", "*x", "!x", "|", ">", "[a]", "{a}", "a, b", "日本語", "emoji 🚂\nx", "<a> & b", "a\n ", "a\n \n", "\ufffd",
}

func TestEveryReaderTakesAStringForThatString(t *testing.T) {
	for _, s := range strange {
		roundTrip(t, s)
	}
}

func FuzzString(f *testing.F) {
	for _, s := range strange {
		f.Add(s)
	}
	f.Fuzz(roundTrip)
}

// roundTrip writes s as key, value and list item, and reads it with the YAML
// 1.2 reader here and with the 1.1 reader of kubectl.
func roundTrip(t *testing.T, s string) {
	t.Helper()
	key := s[:min(len(s), 80)] // it may have 1024 characters on its line, with all escapes
	in, err := json.Marshal(map[string]any{key + "k": s, "k" + key: map[string]any{"v": s, "w": []any{s, []any{s, "z"}}}})
	if err != nil {
		t.Fatal(err)
	}
	out := YAML(in)
	var want, got any
	if err := json.Unmarshal(in, &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, value12(t, out)); diff != "" {
		t.Errorf("%q: %s\n%s", s, diff, out)
	}
	converted, err := yaml2.YAMLToJSON(out)
	if err != nil {
		t.Fatalf("%q: %v\n%s", s, err, out)
	}
	if err := json.Unmarshal(converted, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%q as YAML 1.1: %s\n%s", s, diff, out)
	}
}

func value12(t *testing.T, text []byte) any {
	t.Helper()
	root, err := Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	out, findings := JSON(root)
	if len(findings) > 0 {
		t.Fatalf("%v\n%s", findings, text)
	}
	var v any
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestJSONKeepsWhatWasWritten(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"large integer":   {"a: 9007199254740993", `{"a":9007199254740993}`},
		"larger than 64":  {"a: 4722366482869645213695", `{"a":4722366482869645213695}`},
		"octal":           {"a: 0755", `{"a":493}`},
		"new octal":       {"a: 0o755", `{"a":493}`},
		"small float":     {"a: 5e-7", `{"a":5e-7}`},
		"underscores":     {"a: 1__000\nb: 1_0.5", `{"a":1000,"b":10.5}`},
		"float":           {"a: .5", `{"a":0.5}`},
		"null":            {"a: ~\nb:", `{"a":null,"b":null}`},
		"boolean":         {"a: True\nb: false", `{"a":true,"b":false}`},
		"date":            {"a: 2024-01-01", `{"a":"2024-01-01"}`},
		"quoted yes":      {"a: 'yes'", `{"a":"yes"}`},
		"crlf":            {"a: |\r\n  one\r\n  two\r\n", `{"a":"one\ntwo\n"}`},
		"folded":          {"a: >-\n  one\n  two\n", `{"a":"one two"}`},
		"anchor":          {"a: &x {b: 1}\nc: *x", `{"a":{"b":1},"c":{"b":1}}`},
		"merge":           {"a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3", `{"a":{"b":1,"c":2},"d":{"c":3,"b":1}}`},
		"merge of two":    {"- &x {a: 1}\n- &y {a: 2, b: 2}\n- <<: [*x, *y]", `[{"a":1},{"a":2,"b":2},{"a":1,"b":2}]`},
		"nothing escaped": {`a: "a < b & c\u0001"`, `{"a":"a \u003c b \u0026 c\u0001"}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			root, err := Parse([]byte(test.in))
			if err != nil {
				t.Fatal(err)
			}
			got, findings := JSON(root)
			if len(findings) > 0 {
				t.Error(findings)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Each line merges ten times what the line above does.
func TestJSONBoundsWhatMergesBring(t *testing.T) {
	text := "a: &a {k: v}\n"
	for c := 'b'; c <= 'l'; c++ {
		text += fmt.Sprintf("%c: &%c {<<: [%s]}\n", c, c, strings.Repeat(fmt.Sprintf("*%c,", c-1), 10))
	}
	root, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out, findings := JSON(root)
	if len(findings) != 1 || findings[0].Rule != finding.YAMLSyntax || !json.Valid(out) {
		t.Errorf("%s, %v", out, findings)
	}
}

func TestJSONFinds(t *testing.T) {
	tests := map[string]struct {
		in, field string
		rule      finding.Rule
		line      int
	}{
		"duplicate key":   {"a:\n  env: 1\n  b: 2\n  env: 3", "a.env", finding.DuplicateKey, 4},
		"yes":             {"a:\n- b: yes", "a[0].b", finding.YAMLAmbiguous, 2},
		"hexadecimal key": {"a:\n  0x10: x", "a.0x10", finding.YAMLAmbiguous, 2},
		"float as key":    {"a:\n  1.50: x", "a[1.50]", finding.YAMLAmbiguous, 2},
		"true as key":     {"a:\n  True: x", "a.True", finding.YAMLAmbiguous, 2},
		"null as key":     {"a:\n  ~: x", "a", finding.YAMLSyntax, 2},
		"key on":          {"a:\n  on: x", "a.on", finding.YAMLAmbiguous, 2},
		"infinity":        {"a: .inf", "a", finding.YAMLSyntax, 1},
		"binary":          {"a: !!binary YQ==", "a", finding.YAMLSyntax, 1},
		"yes as a bool":   {"a: !!bool yes", "a", finding.YAMLSyntax, 1},
		"nothing as bool": {"a: !!bool", "a", finding.YAMLSyntax, 1},
		"text as null":    {"a: !!null x", "a", finding.YAMLSyntax, 1},
		"list as key":     {"? [a]\n: b", "", finding.YAMLSyntax, 1},
		"self":            {"a: &x [*x]", "", finding.YAMLSyntax, 1},
		"merge of self":   {"a: &x\n  <<: *x", "", finding.YAMLSyntax, 2},
		"merge of parent": {"a: &x\n  b:\n    <<: *x", "", finding.YAMLSyntax, 3},
		"merge of scalar": {"<<: a", "", finding.YAMLSyntax, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			root, err := Parse([]byte(test.in))
			if err != nil {
				t.Fatal(err)
			}
			out, findings := JSON(root)
			if len(findings) != 1 {
				t.Fatalf("findings: %v", findings)
			}
			f := findings[0]
			if f.Rule != test.rule || f.Field != test.field || f.Position.Line != test.line {
				t.Errorf("%+v", f)
			}
			if !json.Valid(out) {
				t.Errorf("no JSON: %s", out)
			}
		})
	}
}

func TestLine(t *testing.T) {
	root, err := Parse([]byte("metadata:\n  labels:\n    kueue.x-k8s.io/queue-name: a\nspec:\n  env:\n  - name: A\n    value: b\n  - name: B\n    value: c\n"))
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]int{
		"metadata.labels[kueue.x-k8s.io/queue-name]": 3, "spec": 4, "spec.env[1].value": 9, "spec.env[name=A].value": 7, "spec.env[7].name": 5, "spec.gone.a": 4, "": 1,
	} {
		if got := Line(root, field); got != want {
			t.Errorf("%s: line %d, want %d", field, got, want)
		}
	}
}

func TestWritten(t *testing.T) {
	root, err := Parse([]byte("a: &x 0755\nb: [True, *x, {c: 1_000}]\nmetadata:\n  labels:\n    k.io/n: 0x1F\n"))
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{
		"a": "0755", "b[0]": "True", "b[1]": "0755", "b[2].c": "1_000", "metadata.labels[k.io/n]": "0x1F", "b": "", "b[7]": "", "c.d": "",
	} {
		if got := Written(root)(field); got != want {
			t.Errorf("%s: %q, want %q", field, got, want)
		}
	}
}
