// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"

	"golang.org/x/crypto/ssh"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
)

// sshPublicKey is the Trainer's name for the second key of the Secret; the
// first is that of the type kubernetes.io/ssh-auth.
const sshPublicKey = "ssh-publickey"

// newSSHSecret holds a fresh key pair by which the MPI launcher reaches its
// workers. The curve is the Trainer's: every sshd that its images hold knows it.
func newSSHSecret(js *jobset.JobSet) (*corev1.Secret, error) {
	private, public, err := newKeyPair()
	if err != nil {
		return nil, fmt.Errorf("make an SSH key pair: %w", err)
	}
	immutable := true
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Name:            js.Name + marks.SSHAuthSecretSuffix,
			Namespace:       js.Namespace,
			Labels:          map[string]string{marks.TrainJob: js.Labels[marks.TrainJob]},
			OwnerReferences: []metav1.OwnerReference{ownerReference(js)},
		},
		Type:      corev1.SecretTypeSSHAuth,
		Immutable: &immutable,
		Data:      map[string][]byte{corev1.SSHAuthPrivateKey: private, sshPublicKey: public},
	}, nil
}

// newKeyPair returns the private key as PEM and the public one as a line of
// authorized_keys.
func newKeyPair() (private, public []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	line, err := ssh.NewPublicKey(&key.PublicKey)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), ssh.MarshalAuthorizedKey(line), nil
}
