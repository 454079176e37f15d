// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// healed is how soon after a fault all statuses must be right.
const healed = 30 * time.Second

// TestMirrorFaults reports changes while something goes wrong. Afterwards every
// status is right, no change was written twice, and no Secret was replaced.
func TestMirrorFaults(t *testing.T) {
	space := namespace(t)
	m := startMirror(t, space)
	p := makePairs(t, space, 60, func(js *jobset.JobSet) { js.Annotations["trainyard.dev/ssh-auth"] = "generate" })
	m.ready()
	eventually(t, func() error {
		if got := len(secretsIn(t, space)); got != p.count {
			return fmt.Errorf("%d Secrets, want %d", got, p.count)
		}
		return nil
	})
	secrets := secretsIn(t, space)
	for name, c := range map[string]struct {
		proxy faults
		act   func()
	}{
		"409, 429 and 500": {proxy: faults{share: 0.5, answers: []int{http.StatusConflict, http.StatusTooManyRequests, http.StatusInternalServerError}}},
		"lost answers":     {proxy: faults{share: 0.5, lose: true}},
		"slow":             {proxy: faults{slow: 2 * time.Second}},
		"watches are cut":  {proxy: faults{cutAfter: time.Second}},
		"API server away":  {proxy: faults{down: true}},
		// A leader that can't renew its lease ends, and is started again.
		"API server away for long": {proxy: faults{down: true}, act: func() { <-m.done; m.restart() }},
		"killed":                   {act: func() { killAtRandom(m, 3) }},
	} {
		t.Run(name, func(t *testing.T) {
			p.t = t
			m.proxy.forget()
			changes := p.churn(6*time.Second, 20, func() {
				m.proxy.set(c.proxy)
				if c.act != nil {
					c.act()
				}
			})
			if spoiled := m.proxy.spoilt(); spoiled == 0 && name != "killed" {
				t.Error("nothing went wrong, so nothing is shown")
			}
			m.proxy.set(faults{})
			p.healsWithin(healed)
			if got := m.proxy.written("/status"); got > changes {
				t.Errorf("%d writes for %d changes", got, changes)
			}
			if !maps.Equal(secretsIn(t, space), secrets) {
				t.Error("Secrets were replaced, or there are others")
			}
		})
	}
}

func killAtRandom(m *mirror, times int) {
	for range times {
		time.Sleep(rand.N(2 * time.Second))
		m.end(syscall.SIGKILL)
		m.restart()
	}
}

// churn reports changes at a rate while the fault is on, and returns how many.
func (p *pairs) churn(long time.Duration, perSecond int, fault func()) int {
	p.t.Helper()
	var during sync.WaitGroup
	during.Go(fault)
	changes := 0
	for begin := time.Now(); time.Since(begin) < long; time.Sleep(time.Second / time.Duration(perSecond)) {
		changes++
		if err := p.report(rand.IntN(p.count), int32(1000+rand.IntN(1<<20))); err != nil {
			p.t.Fatal(err)
		}
	}
	during.Wait()
	return changes
}

func (p *pairs) healsWithin(limit time.Duration) {
	p.t.Helper()
	var err error
	pause := max(250*time.Millisecond, time.Duration(p.count)*time.Millisecond/2) // a look costs the API server a whole LIST
	for begin := time.Now(); time.Since(begin) < limit; time.Sleep(pause) {
		if err = p.wrong(); err == nil {
			p.t.Logf("all right after %.1f s", time.Since(begin).Seconds())
			return
		}
	}
	p.t.Fatalf("after %s: %v", limit, err)
}

// TestMirrorChangesLeader: two replicas, one works; when it goes, kindly or not,
// the other takes over.
func TestMirrorChangesLeader(t *testing.T) {
	space := namespace(t)
	p := makePairs(t, space, 20, func(*jobset.JobSet) {})
	first := startMirror(t, space)
	first.ready()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		second := startMirror(t, space)
		eventually(t, second.isReady) // one that waits is ready too
		p.churn(2*time.Second, 20, func() {})
		p.healsWithin(healed)
		if got := second.proxy.written(""); got > 0 {
			t.Fatalf("the replica that waits wrote %d times", got)
		}
		first.end(signal)
		changes := p.churn(2*time.Second, 20, func() {})
		p.healsWithin(healed)
		if got := second.proxy.written("/status"); got == 0 || got > changes {
			t.Errorf("the new leader wrote %d times for %d changes", got, changes)
		}
		first = second
	}
}

// TestMirrorWaitsForCRD: the mirror is there before the TrainJob CRD, says what
// is missing, and works once it is installed.
func TestMirrorWaitsForCRD(t *testing.T) {
	space := namespace(t)
	p := makePairs(t, space, 3, func(*jobset.JobSet) {})
	m := startMirror(t, space)
	m.end(syscall.SIGTERM)
	m.proxy.set(faults{hide: "trainer.kubeflow.org"})
	m.restart()
	eventually(t, func() error {
		if !m.logged("trainjobs.trainer.kubeflow.org is not served") {
			return fmt.Errorf("the log does not say what is missing: %s", m.log)
		}
		return nil
	})
	if m.isReady() == nil {
		t.Error("the leader is ready without a CRD")
	}
	p.churn(time.Second, 10, func() {})
	m.proxy.set(faults{})
	p.healsWithin(healed)
	if err := m.isReady(); err != nil {
		t.Error(err)
	}

	// Gone, and back.
	m.proxy.set(faults{hide: "trainer.kubeflow.org", cutAfter: time.Millisecond})
	time.Sleep(3 * time.Second)
	p.churn(time.Second, 10, func() {})
	m.proxy.set(faults{})
	p.healsWithin(healed)
}

// TestMirrorMidFlight: objects go while the mirror writes them.
func TestMirrorMidFlight(t *testing.T) {
	space := namespace(t)
	p := makePairs(t, space, 40, func(*jobset.JobSet) {})
	m := startMirror(t, space)
	m.ready()
	m.proxy.set(faults{slow: 200 * time.Millisecond})
	p.churn(4*time.Second, 50, func() {
		for i := 0; i < p.count; i += 2 {
			_ = p.client.Delete(t.Context(), handedOver(space, pairName(i))) // checked below: it is made anew
			if err := p.client.Create(t.Context(), handedOver(space, pairName(i))); err != nil {
				t.Error(err)
			}
		}
	})
	m.proxy.set(faults{})
	p.healsWithin(healed)
	for i := 1; i < p.count; i += 2 {
		for _, o := range []client.Object{playedJobSet(space, pairName(i)), handedOver(space, pairName(i))} {
			if err := p.client.Delete(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
		p.wanted[i].Store(0)
	}
	time.Sleep(2 * time.Second)
	if err := p.wrong(); err != nil {
		t.Error(err)
	}
	if m.logged("panic") {
		t.Error("the mirror panicked")
	}
}

// TestMirrorAPIServerRestarts kills the API server itself. The leader can't
// renew its lease and ends; it is started again, as a kubelet would.
func TestMirrorAPIServerRestarts(t *testing.T) {
	space := namespace(t)
	p := makePairs(t, space, 30, func(js *jobset.JobSet) { js.Annotations["trainyard.dev/ssh-auth"] = "generate" })
	m := startMirror(t, space)
	m.ready()
	p.healsWithin(healed)
	var secrets map[string]types.UID
	eventually(t, func() error {
		if secrets = secretsIn(t, space); len(secrets) != p.count {
			return fmt.Errorf("%d Secrets, want %d", len(secrets), p.count)
		}
		return nil
	})
	p.churn(time.Second, 20, func() {})
	err := cluster.RestartAPIServer(t.Context(), func() {
		time.Sleep(2 * time.Second)
		m.end(syscall.SIGKILL)
		m.restart() // while there is no API server
		time.Sleep(2 * time.Second)
	})
	if err != nil {
		t.Fatal(err)
	}
	changes := p.churn(3*time.Second, 20, func() {})
	p.healsWithin(healed)
	if got := m.proxy.written("/status"); got > changes+20 {
		t.Errorf("%d writes for %d changes", got, changes+20)
	}
	if !maps.Equal(secretsIn(t, space), secrets) {
		t.Error("Secrets were replaced, or there are others")
	}
}
