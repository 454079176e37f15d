// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// scale is how many pairs TestMirrorScale makes; make e2e-scale has 10,000.
func scale(t *testing.T) int {
	t.Helper()
	text, set := os.LookupEnv("SCALE")
	if !set {
		return 1000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal("SCALE:", err)
	}
	return n
}

// What 10,000 pairs may take.
const (
	steadyMiB  = 128
	brokenMiB  = 400
	usualDelay = 50 * time.Millisecond
	worstDelay = time.Second
)

// TestMirrorScale measures memory, delay and the number of requests.
func TestMirrorScale(t *testing.T) {
	space := namespace(t)
	p := makePairs(t, space, scale(t), realSize)
	p.each(func(i int) error { return p.report(i, 1) })

	begin := time.Now()
	m := startMirror(t, space)
	m.ready()
	p.healsWithin(10 * time.Minute)
	t.Logf("%d pairs: start to all in sync %.1f s", p.count, time.Since(begin).Seconds())
	if got := m.proxy.written("/status"); got != p.count {
		t.Errorf("%d writes for %d pairs", got, p.count)
	}
	m.staysWithin(steadyMiB, "right after the start")

	// All is said already: a restart reads and does not write.
	m.end(syscall.SIGTERM)
	m.proxy.forget()
	m.restart()
	m.ready()
	time.Sleep(5 * time.Second)
	if got := m.proxy.written(""); got > 0 {
		t.Errorf("%d writes though nothing changed", got)
	}
	m.proxy.forget()
	time.Sleep(5 * time.Second)
	if m.proxy.asked > 0 {
		t.Errorf("%d requests though nothing changed", m.proxy.asked)
	}
	m.staysWithin(steadyMiB, "idle")

	p.measureDelay(25*time.Second, 20)
	if got, want := m.proxy.written("/status"), 500; got != want {
		t.Errorf("%d writes for %d changes", got, want)
	}
	m.staysWithin(steadyMiB, "at 20 changes a second")

	m.proxy.set(faults{cutAfter: 3 * time.Second})
	p.churn(30*time.Second, 20, func() {})
	m.proxy.set(faults{})
	p.healsWithin(healed)
	if now, most := m.memory(); most > brokenMiB {
		t.Errorf("%d MiB while watches were cut, at most %d are allowed", most, brokenMiB)
	} else {
		t.Logf("watches cut: %d MiB now, %d at most", now, most)
	}
}

func (m *mirror) staysWithin(limit int, when string) {
	m.t.Helper()
	now, most := m.memory()
	m.t.Logf("%s: %d MiB now, %d at most", when, now, most)
	if now > limit {
		m.t.Errorf("%s: %d MiB, at most %d are allowed", when, now, limit)
	}
}

// realSize makes a JobSet as big as rendered ones are: some 9 KiB.
func realSize(js *jobset.JobSet) {
	node := js.Spec.ReplicatedJobs[0]
	container := &node.Template.Spec.Template.Spec.Containers[0]
	container.Command = []string{"bash", "-c", strings.Repeat("python train.py --epochs 10 ", 60)}
	for i := range 40 {
		container.Env = append(container.Env, corev1.EnvVar{Name: fmt.Sprintf("SETTING_%d", i), Value: strings.Repeat("v", 30)})
	}
	initializer := *node.DeepCopy()
	initializer.Name = "dataset-initializer"
	js.Spec.ReplicatedJobs = []jobset.ReplicatedJob{initializer, node}
	js.Annotations["trainyard.dev/source-digest"] = strings.Repeat("a", 64)
}

// measureDelay reports changes at a rate, each of another pair, and measures
// from the API server's answer to the TrainJob's event.
func (p *pairs) measureDelay(long time.Duration, perSecond int) {
	p.t.Helper()
	stream := p.watchFromNow()
	seen := &sightings{at: map[string]time.Time{}}
	go seen.collect(stream)
	defer stream.Stop()

	total := int(long.Seconds()) * perSecond
	told := map[string]time.Time{}
	begin := time.Now()
	for n := range total {
		time.Sleep(time.Until(begin.Add(time.Duration(n) * time.Second / time.Duration(perSecond))))
		i := (n * 7919) % p.count // spreads over all; none twice where count is above total
		value := int32(1<<20 + n)
		if err := p.report(i, value); err != nil {
			p.t.Fatal(err)
		}
		told[fmt.Sprintf("%s=%d", pairName(i), value)] = time.Now()
	}
	p.healsWithin(healed)
	var delays []time.Duration
	for change, at := range told {
		if shown, ok := seen.when(change); ok {
			delays = append(delays, max(0, shown.Sub(at)))
		}
	}
	if len(delays) != total {
		p.t.Errorf("%d of %d changes were seen", len(delays), total)
	}
	slices.Sort(delays)
	usual, worst := delays[len(delays)/2], delays[len(delays)*99/100]
	p.t.Logf("delay of %d changes: p50 %v, p90 %v, p99 %v, max %v", total, usual, delays[len(delays)*9/10], worst, delays[len(delays)-1])
	if usual > usualDelay || worst > worstDelay {
		p.t.Errorf("p50 %v and p99 %v; at most %v and %v are allowed", usual, worst, usualDelay, worstDelay)
	}
}

// watchFromNow watches the TrainJobs. Without a version to begin at, the server
// would send all that there are first, and the changes behind them.
func (p *pairs) watchFromNow() watch.Interface {
	p.t.Helper()
	var now trainer.TrainJobList
	if err := p.client.List(p.t.Context(), &now, client.InNamespace(p.namespace), client.Limit(1)); err != nil {
		p.t.Fatal(err)
	}
	from := client.ListOptions{Namespace: p.namespace, Raw: &metav1.ListOptions{ResourceVersion: now.ResourceVersion}}
	stream, err := p.client.Watch(p.t.Context(), &trainer.TrainJobList{}, &from)
	if err != nil {
		p.t.Fatal(err)
	}
	return stream
}

// sightings are when a TrainJob first showed a value.
type sightings struct {
	mu sync.Mutex
	at map[string]time.Time
}

func (s *sightings) collect(stream watch.Interface) {
	for event := range stream.ResultChan() {
		tj, ok := event.Object.(*trainer.TrainJob)
		if !ok {
			continue
		}
		s.mu.Lock()
		for _, job := range tj.Status.JobsStatus {
			change := fmt.Sprintf("%s=%d", tj.Name, *job.Active)
			if _, known := s.at[change]; !known {
				s.at[change] = time.Now()
			}
		}
		s.mu.Unlock()
	}
}

func (s *sightings) when(change string) (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.at[change]
	return at, ok
}
