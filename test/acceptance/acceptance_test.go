// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/yaml"
)

// TestCases: the judge agrees with every case of testdata.
func TestCases(t *testing.T) {
	judge := newJudge(t)
	for name, js := range cases(t) {
		t.Run(name, func(t *testing.T) { agree(t, judge, js) })
	}
}

// TestSpoiled: the judge agrees on JobSets that are spoiled at random. CASES
// says how many, SEED which: case n of seed s is the first of seed s+n.
func TestSpoiled(t *testing.T) {
	judge := newJudge(t)
	good := cases(t)
	all := slices.Sorted(maps.Keys(good))
	rich := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !strings.Contains(name, "/right-") })
	for n := range number(t, "CASES", 5000) {
		seed := uint64(number(t, "SEED", 1) + n)
		g := generator{rand.New(rand.NewPCG(seed, seed))}
		js := g.spoil(good[pick(g, pick(g, [][]string{all, rich}))])
		if !agree(t, judge, js) {
			t.Fatalf("SEED=%d CASES=1 shows it again", seed)
		}
	}
}

// agree fails the test with the least JobSet on which the judges differ.
func agree(t *testing.T, judge *Judge, js *jobset.JobSet) bool {
	t.Helper()
	differences, err := judge.Differences(t.Context(), js)
	if err != nil {
		t.Errorf("judge: %v", err)
		return false
	}
	if len(differences) == 0 {
		return true
	}
	least := shrink(js, func(smaller *jobset.JobSet) bool {
		still, err := judge.Differences(t.Context(), smaller)
		return err == nil && slices.ContainsFunc(still, func(d string) bool { return kind(d) == kind(differences[0]) })
	})
	differences, _ = judge.Differences(t.Context(), least)
	text, err := yaml.Marshal(least)
	if err != nil {
		t.Fatal(err)
	}
	t.Errorf("the judges differ:\n  %s\non\n%s", strings.Join(differences, "\n  "), text)
	return false
}

// indexes are what changes in a difference when others go.
var indexes = regexp.MustCompile(`\[\d+\]`)

func kind(difference string) string {
	return indexes.ReplaceAllString(difference, "")
}

func newJudge(t *testing.T) *Judge {
	t.Helper()
	judge, err := NewJudge()
	if err != nil {
		t.Fatal(err)
	}
	return judge
}

// cases are the JobSets of testdata: those made for this, and all that are
// rendered.
func cases(t *testing.T) map[string]*jobset.JobSet {
	t.Helper()
	all := map[string]*jobset.JobSet{}
	for _, pattern := range []string{"accept/*/jobset.yaml", "render/*/jobset.yaml"} {
		paths, err := filepath.Glob(filepath.Join("../../testdata", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			all[strings.TrimPrefix(path, "../../testdata/")] = read(t, path)
		}
	}
	if len(all) == 0 {
		t.Fatal("no JobSets in testdata")
	}
	return all
}

func read(t *testing.T, path string) *jobset.JobSet {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	js := &jobset.JobSet{}
	if err := yaml.UnmarshalStrict(raw, js); err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
	return js
}

func number(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}
