// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/render/policy"
)

// Summary is what runs ask of a cluster.
type Summary struct {
	Runs       []SummaryRun   `json:"runs"`
	Namespaces []SummaryTotal `json:"namespaces"`
	Queues     []SummaryTotal `json:"queues"` // LocalQueues, as namespace/name
}

// SummaryRun is one run.
type SummaryRun struct {
	Namespace string           `json:"namespace,omitempty"`
	Name      string           `json:"name"`
	Runtime   string           `json:"runtime,omitempty"` // Kind/name
	Framework policy.Framework `json:"framework,omitempty"`
	Nodes     int              `json:"nodes"`
	Processes string           `json:"processesPerNode"` // a number, or a word of the launcher's
	Asks
	Queue   string   `json:"queue,omitempty"`
	Image   string   `json:"image,omitempty"`
	PodSets []PodSet `json:"podSets"` // what Kueue would ask for
	Found   Counts   `json:"findings"`
}

// Asks is what pods ask for together.
type Asks struct {
	GPUs   int64  `json:"gpus"`
	CPU    string `json:"cpu"`
	Memory string `json:"memory"`
}

// Counts says how many findings there are.
type Counts struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
}

// SummaryTotal is what several runs ask for together.
type SummaryTotal struct {
	Name string `json:"name"`
	Runs int    `json:"runs"`
	Asks
}

// Summarize sums runs up, by namespace and name.
func Summarize(runs []Run) Summary {
	sum := Summary{Runs: []SummaryRun{}}
	namespaces, queues := totals{}, totals{}
	for _, run := range sorted(runs) {
		if run.Ended {
			continue
		}
		_, container := run.trainer()
		sum.Runs = append(sum.Runs, SummaryRun{
			Namespace: run.Namespace, Name: run.Name, Runtime: run.Runtime(), Framework: run.framework(),
			Nodes: run.nodes(), Processes: run.processes(), Asks: asks(run.total()), Queue: run.queue(),
			Image: container.Image, PodSets: run.podSets(), Found: count(run.Findings),
		})
		namespaces.add(run.Namespace, run)
		if queue := run.queue(); queue != "" {
			queues.add(run.Namespace+"/"+queue, run)
		}
	}
	sum.Namespaces, sum.Queues = namespaces.list(), queues.list()
	return sum
}

func sorted(runs []Run) []Run {
	return slices.SortedStableFunc(slices.Values(runs), func(a, b Run) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}

func asks(total corev1.ResourceList) Asks {
	return Asks{GPUs: policy.GPUs(total), CPU: cpus(total), Memory: total.Memory().String()}
}

// cpus are whole where they can be: 64000, not 64k.
func cpus(total corev1.ResourceList) string {
	if cpu := total.Cpu(); cpu.MilliValue()%1000 == 0 {
		return strconv.FormatInt(cpu.Value(), 10)
	}
	return total.Cpu().String()
}

func count(findings []finding.Finding) Counts {
	var c Counts
	for _, f := range findings {
		switch f.Severity {
		case finding.Error:
			c.Errors++
		case finding.Warning:
			c.Warnings++
		}
	}
	return c
}

// totals are sums by name.
type totals map[string]*subtotal

type subtotal struct {
	runs int
	asks corev1.ResourceList
}

func (t totals) add(name string, run Run) {
	if t[name] == nil {
		t[name] = &subtotal{asks: corev1.ResourceList{}}
	}
	t[name].runs++
	for resource, quantity := range run.total() {
		sum := t[name].asks[resource]
		sum.Add(quantity)
		t[name].asks[resource] = sum
	}
}

func (t totals) list() []SummaryTotal {
	list := []SummaryTotal{}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		list = append(list, SummaryTotal{Name: name, Runs: t[name].runs, Asks: asks(t[name].asks)})
	}
	return list
}

// JSON writes the summary for other programs.
func (s Summary) JSON(w io.Writer) error { return indented(w, s) }

// Tables writes the summary for people, in columns or as markdown.
func (s Summary) Tables(w io.Writer, markdown bool) error {
	runs := table{header: []string{"NAMESPACE", "NAME", "RUNTIME", "FRAMEWORK", "NODES", "GPUS", "CPU", "MEMORY", "QUEUE", "IMAGE", "FINDINGS"}}
	podSets := table{title: "Kueue would ask for", header: []string{"QUEUE", "NAME", "POD SET", "PODS", "OF EACH"}}
	for _, r := range s.Runs {
		_, runtime, _ := strings.Cut(r.Runtime, "/")
		asked := append([]string{fmt.Sprintf("%d × %s", r.Nodes, r.Processes)}, r.cells()...)
		if r.Nodes == 0 { // an error hinders it
			asked = []string{"", "", "", ""}
		}
		runs.rows = append(runs.rows, slices.Concat(
			[]string{r.Namespace, r.Name, runtime, string(r.Framework)}, asked, []string{r.Queue, r.Image, r.Found.String()}))
		if r.Queue == "" {
			continue
		}
		for _, set := range r.PodSets {
			podSets.rows = append(podSets.rows, []string{r.Namespace + "/" + r.Queue, r.Name, set.Name, fmt.Sprint(set.Pods), amounts(set.Requests)})
		}
	}
	return writeTables(w, []table{runs, podSets, totalTable("NAMESPACE", s.Namespaces), totalTable("QUEUE", s.Queues)}, markdown)
}

func totalTable(by string, totals []SummaryTotal) table {
	t := table{header: []string{by, "RUNS", "GPUS", "CPU", "MEMORY"}}
	for _, total := range totals {
		t.rows = append(t.rows, append([]string{total.Name, fmt.Sprint(total.Runs)}, total.cells()...))
	}
	return t
}

func (a Asks) cells() []string { return []string{fmt.Sprint(a.GPUs), a.CPU, a.Memory} }

// amounts lists resources, in the order of their names.
func amounts(list corev1.ResourceList) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(list)) {
		quantity := list[name]
		words = append(words, fmt.Sprintf("%s %s", quantity.String(), name))
	}
	return strings.Join(words, ", ")
}

// String is the worse of the counts in words; empty where there is none.
func (c Counts) String() string {
	switch {
	case c.Errors > 0:
		return counted(c.Errors, "error")
	case c.Warnings > 0:
		return counted(c.Warnings, "warning")
	default:
		return ""
	}
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
