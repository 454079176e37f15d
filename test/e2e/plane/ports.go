// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"fmt"
	"net"
	"net/netip"
)

// ports hands out one free port of 127.0.0.1 per name.
type ports map[string]int

func freePorts(names ...string) (ports, error) {
	found := ports{}
	for _, name := range names {
		// Held until all are found, so that none is found twice.
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("find a port for %s: %w", name, err)
		}
		defer func() { _ = listener.Close() }()
		address, err := netip.ParseAddrPort(listener.Addr().String())
		if err != nil {
			return nil, fmt.Errorf("find a port for %s: %w", name, err)
		}
		found[name] = int(address.Port())
	}
	return found, nil
}

func (p *Plane) port(name string) int { return p.ports[name] }

func (p *Plane) address(name string) string { return fmt.Sprintf("127.0.0.1:%d", p.ports[name]) }

func (p *Plane) url(name string) string { return "https://" + p.address(name) }
