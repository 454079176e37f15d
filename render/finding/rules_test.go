// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package finding_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEveryRuleIsExplained holds rules.go against docs/findings.md: each rule
// has its paragraph, with an example and a remedy, and no paragraph is left of a
// rule that is gone.
func TestEveryRuleIsExplained(t *testing.T) {
	explained := paragraphs(t, "../../docs/findings.md")
	var ids []string
	for id, text := range explained {
		ids = append(ids, id)
		for _, part := range []string{"* Example: ", "* Remedy: "} {
			if !strings.Contains(text, part) {
				t.Errorf("the paragraph on %s lacks %q", id, part)
			}
		}
	}
	slices.Sort(ids)
	rules := constants(t, "rules.go")
	if diff := cmp.Diff(rules, ids); diff != "" {
		t.Errorf("rules -, paragraphs +:\n%s", diff)
	}
	if unique := slices.Compact(slices.Clone(rules)); len(unique) != len(rules) {
		t.Errorf("two rules share an id: %v", rules)
	}
}

// constants are the values of all constants in a file, sorted.
func constants(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatalf("read the rules: %v", err)
	}
	var values []string
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			value, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatalf("read %s: %v", literal.Value, err)
			}
			values = append(values, value)
		}
		return true
	})
	slices.Sort(values)
	return values
}

// paragraphs are the texts under the headings of the second level.
func paragraphs(t *testing.T, path string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("read the findings: %v", err)
	}
	found := map[string]string{}
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		id, rest, _ := strings.Cut(section, "\n")
		found[id] = rest
	}
	return found
}

// TestEveryRuleIsEarned demands a case for each rule.
func TestEveryRuleIsEarned(t *testing.T) {
	elsewhere := map[string]string{
		"internal":      "a fault of this program, which no input is known to cause",
		"spec-too-long": "its input is too long for a file; a test of render makes it",
	}
	earned := earnedRules(t, "../../testdata", "../../examples")
	for _, id := range constants(t, "rules.go") {
		if !earned[id] && elsewhere[id] == "" {
			t.Errorf("no case earns %s", id)
		}
	}
}

// earned finds a rule as each form of wanted findings has it: a document, a
// function's results, what the command line prints, and the comment above an
// object for the schemas. Another comment that names a rule earns nothing.
var earned = map[string]*regexp.Regexp{
	"findings.yaml": regexp.MustCompile(`(?m)^(?:  |- )?rule: ([a-z0-9-]+)$`),
	"output.yaml":   regexp.MustCompile(`(?m)^  tags:\n    rule: ([a-z0-9-]+)$`),
	"findings.txt":  regexp.MustCompile(`(?m)^(?:error|warning|info) .*\(([a-z0-9-]+)\)(?: \S+)?$`),
	"":              regexp.MustCompile(`(?m)^# want: (?:error|warning|info) .*\(([a-z0-9-]+)\)$`),
}

func earnedRules(t *testing.T, folders ...string) map[string]bool {
	t.Helper()
	rules := map[string]bool{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			form := earned[entry.Name()]
			if form == nil {
				form = earned[""]
			}
			for _, match := range form.FindAllSubmatch(text, -1) {
				rules[string(match[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatalf("read the cases: %v", err)
		}
	}
	return rules
}
