// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// A component that is not ready after patience is broken.
const (
	patience = 2 * time.Minute
	pause    = 100 * time.Millisecond
)

// answers waits until a component says that it is ready.
func (p *Plane) answers(ctx context.Context, component, url string) error {
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // readiness is asked, and who answers is plain from the port
	client := http.Client{Transport: transport, Timeout: 5 * time.Second}
	return p.eventually(ctx, component, func(ctx context.Context) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer func() { _ = response.Body.Close() }()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("%s says %s", url, response.Status)
		}
		return nil
	})
}

// eventually repeats a question until it is answered without an error. It
// gives up at once if the component it is about has ended.
func (p *Plane) eventually(ctx context.Context, component string, ask func(context.Context) error) error {
	var last error
	err := wait.PollUntilContextTimeout(ctx, pause, patience, true, func(ctx context.Context) (bool, error) {
		if process := p.processes[component]; process != nil {
			if err := process.ended(); err != nil {
				return false, err
			}
		}
		last = ask(ctx)
		return last == nil, nil
	})
	if err != nil {
		return fmt.Errorf("wait for %s: %w", component, errors.Join(err, last))
	}
	return nil
}
