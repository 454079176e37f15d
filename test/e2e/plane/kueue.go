// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// kueueCertificates is where Kueue reads its metrics server's certificate
// from. The path is fixed in its program, also where metrics are off.
const kueueCertificates = "/etc/kueue/metrics/certs"

// metricsCertificate puts a certificate there, if there is none.
func (p *Plane) metricsCertificate() error {
	for _, name := range []string{"tls.crt", "tls.key"} {
		file := filepath.Join(kueueCertificates, name)
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		text, err := os.ReadFile(p.authority.file(name))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(kueueCertificates, 0o755); err != nil {
			return fmt.Errorf("make %s, without which Kueue does not start: %w", kueueCertificates, err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
