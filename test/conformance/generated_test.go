// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trainyard/trainyard/test/conformance/cases"
	"github.com/trainyard/trainyard/test/conformance/check"
	"github.com/trainyard/trainyard/test/conformance/difference"
	"github.com/trainyard/trainyard/test/conformance/generate"
	"github.com/trainyard/trainyard/test/conformance/ours"
	"github.com/trainyard/trainyard/test/conformance/shrink"
	"github.com/trainyard/trainyard/test/conformance/upstream"
)

var (
	count = flag.Int("cases", fromEnv("CASES", 5000), "how many pairs are generated")
	seed  = flag.Int("seed", fromEnv("SEED", 1), "of the generated pairs")
	first = flag.Int("first", 0, "number of the first pair")
	most  = flag.Int("most", 20, "failing pairs that are shrunk and shown")
)

// fromEnv is a number from an environment variable, as make hands it over.
func fromEnv(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// tally is what all comparisons together have found.
type tally struct {
	sync.Mutex
	compared, rendered int
	fired              difference.Fired
	failures           []failure
}

type failure struct {
	cases.Case
	why []string
}

func (t *tally) add(c cases.Case, report check.Report, err error) {
	t.Lock()
	defer t.Unlock()
	t.compared++
	if report.Rendered {
		t.rendered++
	}
	if err != nil {
		report.Unexplained = append(report.Unexplained, err.Error())
	}
	if len(report.Unexplained) > 0 {
		t.failures = append(t.failures, failure{c, report.Unexplained})
		return
	}
	for name, n := range report.Fired {
		t.fired[name] += n
	}
}

// TestGenerated compares pairs that nobody wrote.
func TestGenerated(t *testing.T) {
	debug.SetGCPercent(1000)
	judge := newJudge(t)
	builtin, err := upstream.ReadFolder("../../runtimes")
	if err != nil {
		t.Fatal(err)
	}
	generator := generate.New(uint64(*seed), builtin)
	sum := &tally{fired: difference.Fired{}}
	start := time.Now()
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(*count); i = next.Add(1) - 1 {
				c := generator.Case(*first + int(i))
				report, err := check.Check(t.Context(), judge, rendererOf(int(i)), c)
				sum.add(c, report, err)
			}
		})
	}
	workers.Wait()
	sum.report(t, judge)
	t.Logf("seed %d: %d pairs, %d of them rendered and compared, %d fail, %.0f a second",
		*seed, sum.compared, sum.rendered, len(sum.failures), float64(sum.compared)/time.Since(start).Seconds())
}

// rendererOf takes one pair in twenty through the whole KRM function, which
// costs more.
func rendererOf(number int) check.Renderer {
	if number%20 == 0 {
		return ours.Function
	}
	return ours.Render
}

// enough pairs to need every rule.
const enough = 5000

// report shows the failures, and each rule that was never needed.
func (t *tally) report(test *testing.T, judge *upstream.Trainer) {
	for i, f := range t.failures {
		if i == *most {
			test.Errorf("and %d more", len(t.failures)-i)
			break
		}
		small, why := shrunk(test, judge, f)
		test.Errorf("%s:\n%s\n%s", f.Name, lines(why), small)
	}
	for _, rule := range difference.Rules {
		test.Logf("%8d  %s", t.fired[rule.Name], rule.Name)
		if t.fired[rule.Name] == 0 && rule.Elsewhere == "" && t.compared >= enough {
			test.Errorf("rule %s never fires", rule.Name)
		}
	}
}

func lines(all []string) string {
	text := ""
	for _, line := range all {
		text += fmt.Sprintf("  %s\n", line)
	}
	return text
}

// shrunk is the smallest case that fails at the same place, and why it does.
func shrunk(t *testing.T, judge *upstream.Trainer, f failure) (small cases.Case, why []string) {
	ask := func(c cases.Case) []string {
		report, err := check.Check(t.Context(), judge, ours.Render, c)
		if len(report.Unexplained) == 0 && err == nil {
			report, err = check.Check(t.Context(), judge, ours.Function, c)
		}
		if err != nil {
			return append(report.Unexplained, err.Error())
		}
		return report.Unexplained
	}
	same := func(line string) bool { return kind(line) == kind(f.why[0]) }
	small = shrink.Case(f.Case, func(c cases.Case) bool { return slices.ContainsFunc(ask(c), same) })
	return small, ask(small)
}

var anyIndex = regexp.MustCompile(`\[\d+\]`)

// kind of a failure: what is wrong where, without the values.
func kind(line string) string {
	parts := strings.SplitN(anyIndex.ReplaceAllString(line, "[]"), ": ", 3)
	return strings.Join(parts[:min(2, len(parts))], ": ")
}
