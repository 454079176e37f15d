// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

// proxy stands between the mirror and the API server. It counts the writes that
// the API server took, electing a leader aside, and spoils requests as its
// faults say.
type proxy struct {
	address string
	token   string // of who asks: a client sends none where there is no TLS
	server  *http.Server

	mu      sync.Mutex
	faults  faults
	writes  map[string]int // "METHOD path": how often the API server took it
	asked   int            // requests other than for electing a leader and watches
	spoiled int            // requests that were answered with an error, cut or delayed
}

// faults are what goes wrong. The zero value is a good day.
type faults struct {
	share    float64       // of the writes that fail, in one of the ways below
	answers  []int         // status codes that a failing write gets
	lose     bool          // or it is done and the answer is lost
	slow     time.Duration // every request takes up to so much longer
	cutAfter time.Duration // every watch ends so soon
	down     bool          // no connection
	hide     string        // an API group that is not served
}

// startProxy listens until the test ends.
func startProxy(t *testing.T, token string) *proxy {
	t.Helper()
	upstream, err := url.Parse(cluster.Config.Host)
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(rest.AnonymousClientConfig(cluster.Config))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{address: listener.Addr().String(), token: token, writes: map[string]int{}}
	reverse := httputil.NewSingleHostReverseProxy(upstream)
	reverse.Transport, reverse.FlushInterval = transport, -1
	reverse.ErrorLog = log.New(io.Discard, "", 0) // that something was cut is no news here
	reverse.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	reverse.ModifyResponse = p.count
	p.server = &http.Server{Handler: p.spoil(reverse), ReadHeaderTimeout: time.Minute}
	go func() { _ = p.server.Serve(listener) }() // ends when it is closed
	t.Cleanup(func() { _ = p.server.Close() })
	return p
}

// set changes what goes wrong from now on.
func (p *proxy) set(f faults) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = f
}

// forget starts counting anew.
func (p *proxy) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writes, p.asked, p.spoiled = map[string]int{}, 0, 0
}

// spoilt counts the requests that went wrong.
func (p *proxy) spoilt() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spoiled
}

// written sums the writes whose line ends so.
func (p *proxy) written(suffix string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := 0
	for line, n := range p.writes {
		if strings.HasSuffix(line, suffix) {
			sum += n
		}
	}
	return sum
}

func (p *proxy) count(response *http.Response) error {
	r := response.Request
	electing := strings.Contains(r.URL.Path, "/namespaces/"+mirrorNamespace+"/")
	if r.Method == http.MethodGet || response.StatusCode >= 300 || electing {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writes[r.Method+" "+r.URL.Path]++
	return nil
}

// spoil decides for each request what becomes of it.
func (p *proxy) spoil(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+p.token)
		p.mu.Lock()
		f := p.faults
		watching := r.URL.Query().Has("watch")
		electing := strings.Contains(r.URL.Path, "/namespaces/"+mirrorNamespace+"/")
		if !watching && !electing {
			p.asked++
		}
		fails := r.Method != http.MethodGet && !electing && rand.Float64() < f.share
		if fails || f.down || f.slow > 0 || watching && f.cutAfter > 0 {
			p.spoiled++
		}
		p.mu.Unlock()
		switch {
		case f.down:
			panic(http.ErrAbortHandler)
		case f.hide != "" && strings.HasPrefix(r.URL.Path, "/apis/"+f.hide):
			refuse(w, http.StatusNotFound)
			return
		}
		if f.slow > 0 && !watching {
			time.Sleep(rand.N(f.slow))
		}
		switch {
		case fails:
			p.fail(w, r, next, f)
		case watching && f.cutAfter > 0:
			cut(w, r, next, f.cutAfter)
		case watching:
			p.untilDown(w, r, next)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// untilDown lets a watch run until the API server goes down.
func (p *proxy) untilDown(w http.ResponseWriter, r *http.Request, next http.Handler) {
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	go func() {
		for ctx.Err() == nil {
			time.Sleep(50 * time.Millisecond)
			p.mu.Lock()
			if p.faults.down || p.faults.cutAfter > 0 {
				cancel(errors.New("cut"))
			}
			p.mu.Unlock()
		}
	}()
	next.ServeHTTP(w, r.WithContext(ctx))
}

// cut breaks off in the middle of the stream.
func cut(w http.ResponseWriter, r *http.Request, next http.Handler, after time.Duration) {
	ctx, cancel := context.WithTimeout(r.Context(), after)
	defer cancel()
	next.ServeHTTP(w, r.WithContext(ctx))
	panic(http.ErrAbortHandler)
}

func (p *proxy) fail(w http.ResponseWriter, r *http.Request, next http.Handler, f faults) {
	way := rand.IntN(len(f.answers) + 1)
	if way < len(f.answers) {
		refuse(w, f.answers[way])
		return
	}
	if !f.lose {
		refuse(w, http.StatusInternalServerError)
		return
	}
	next.ServeHTTP(&nobody{header: http.Header{}}, r)
	panic(http.ErrAbortHandler)
}

var reasons = map[int]string{404: "NotFound", 409: "Conflict", 429: "TooManyRequests", 500: "InternalError"}

func refuse(w http.ResponseWriter, code int) {
	w.Header().Set("Content-Type", "application/json")
	if code == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(code)
	_, _ = io.WriteString(w, fmt.Sprintf( // who does not read it gets no answer, as it should be
		`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"injected","reason":%q,"code":%d}`, reasons[code], code))
}

// nobody hears an answer.
type nobody struct{ header http.Header }

func (n *nobody) Header() http.Header         { return n.header }
func (n *nobody) Write(b []byte) (int, error) { return len(b), nil }
func (n *nobody) WriteHeader(int)             {}
