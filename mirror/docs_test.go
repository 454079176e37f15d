// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docs/mirror.md must name every flag with its default, every metric and every
// Event.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/mirror.md")
	if err != nil {
		t.Fatal(err)
	}
	docs := string(text)
	var options Options
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	options.AddFlags(flags)
	flags.VisitAll(func(f *flag.Flag) {
		row := regexp.MustCompile("(?m)^\\| `--" + f.Name + "` \\| (.*?) \\|").FindStringSubmatch(docs)
		switch {
		case row == nil:
			t.Errorf("flag --%s is not documented", f.Name)
		case f.DefValue != "" && strings.Trim(row[1], "`") != f.DefValue:
			t.Errorf("flag --%s: the documented default is %s, want %s", f.Name, row[1], f.DefValue)
		}
	})
	for _, name := range inSources(t, `(?:reason|Name): +"([A-Za-z_]{4,})"`) {
		if !strings.Contains(docs, "| `"+name) {
			t.Errorf("%s is not documented", name)
		}
	}
}

// inSources finds the group of a pattern in this package's sources.
func inSources(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
			found = append(found, match[1])
		}
	}
	if len(found) < 10 {
		t.Fatalf("found only %v", found)
	}
	return found
}
