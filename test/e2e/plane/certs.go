// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// authority signs the certificates of one control plane.
type authority struct {
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

// newAuthority makes a certificate authority whose files go to dir.
func newAuthority(dir string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := certificate(pkix.Name{CommonName: "e2e"})
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	a := &authority{dir: dir, cert: cert, key: key, pem: encodePEM("CERTIFICATE", der)}
	return a, os.WriteFile(a.file("ca.crt"), a.pem, 0o600)
}

// server writes tls.crt and tls.key for 127.0.0.1, under the names that
// controller-runtime's webhook server looks for.
func (a *authority) server() error {
	template := certificate(pkix.Name{CommonName: "server"})
	template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	template.DNSNames = []string{"localhost", "kubernetes.default.svc"}
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	cert, key, err := a.sign(template)
	if err != nil {
		return err
	}
	if err := os.WriteFile(a.file("tls.crt"), cert, 0o600); err != nil {
		return err
	}
	return os.WriteFile(a.file("tls.key"), key, 0o600)
}

// client returns the certificate and the key of a user.
func (a *authority) client(user, group string) (cert, key []byte, err error) {
	template := certificate(pkix.Name{CommonName: user})
	if group != "" {
		template.Subject.Organization = []string{group}
	}
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	return a.sign(template)
}

// serviceAccounts writes the key that signs the service accounts' tokens.
func (a *authority) serviceAccounts() error {
	_, key, err := a.sign(certificate(pkix.Name{CommonName: "service-accounts"}))
	if err != nil {
		return err
	}
	return os.WriteFile(a.file("sa.key"), key, 0o600)
}

func (a *authority) sign(template *x509.Certificate) (cert, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &private.PublicKey, a.key)
	if err != nil {
		return nil, nil, err
	}
	encoded, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		return nil, nil, err
	}
	return encodePEM("CERTIFICATE", der), encodePEM("EC PRIVATE KEY", encoded), nil
}

// bundle is the authority as a caBundle holds it.
func (a *authority) bundle() string { return base64.StdEncoding.EncodeToString(a.pem) }

func (a *authority) file(name string) string { return filepath.Join(a.dir, name) }

// certificate is valid for a day: no control plane lives longer.
func certificate(subject pkix.Name) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      subject,
		NotBefore:    time.Now().Add(-time.Minute),
		NotAfter:     time.Now().Add(24 * time.Hour),
		KeyUsage:     x509.KeyUsageDigitalSignature,
	}
}

func encodePEM(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
