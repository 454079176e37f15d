// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"bytes"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
)

const createSecretRun = "create Secret team-a/run-mpi-ssh-auth"

func wantsSecret() *jobset.JobSet {
	return newJobSet(annotated(marks.SSHAuth, marks.SSHAuthGenerate), func(js *jobset.JobSet) { js.CreationTimestamp = ended })
}

func TestSecretIsMadeOnce(t *testing.T) {
	w := newWorld(t, wantsSecret())
	for range 3 {
		w.pass()
	}
	w.wantWrites(createSecretRun)
	w.wantEvents()

	var secret corev1.Secret
	if !w.get(&secret, "run-mpi-ssh-auth") {
		t.Fatal("there is no Secret")
	}
	if secret.Type != corev1.SecretTypeSSHAuth || secret.Immutable == nil || !*secret.Immutable {
		t.Errorf("type %s, immutable %v", secret.Type, secret.Immutable)
	}
	if !metav1.IsControlledBy(&secret, wantsSecret()) {
		t.Error("the Secret is not owned by the JobSet")
	}
	if len(secret.Data) != 2 {
		t.Errorf("the Secret has %d keys, want 2", len(secret.Data))
	}
	signer, err := ssh.ParsePrivateKey(secret.Data["ssh-privatekey"])
	if err != nil {
		t.Fatal("private key:", err)
	}
	public, _, _, _, err := ssh.ParseAuthorizedKey(secret.Data["ssh-publickey"])
	if err != nil {
		t.Fatal("public key:", err)
	}
	if !bytes.Equal(public.Marshal(), signer.PublicKey().Marshal()) {
		t.Error("the keys are no pair")
	}
}

func TestKeysDiffer(t *testing.T) {
	one, err := newSSHSecret(wantsSecret())
	if err != nil {
		t.Fatal(err)
	}
	two, err := newSSHSecret(wantsSecret())
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(one.Data["ssh-privatekey"], two.Data["ssh-privatekey"]) {
		t.Error("two JobSets share a key")
	}
}

// A Secret that exists is the user's, or was made before a restart.
func TestSecretThatExistsIsNotTouched(t *testing.T) {
	own := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "run-mpi-ssh-auth", Namespace: "team-a"},
		Data:       map[string][]byte{"ssh-privatekey": []byte("theirs")},
	}
	w := newWorld(t, own, wantsSecret())
	waits := []time.Duration{}
	for {
		wait := w.pass().RequeueAfter
		if wait == 0 {
			break
		}
		waits = append(waits, wait)
	}
	if len(waits) != maxSecretTries-1 || waits[0] != 5*time.Second || waits[len(waits)-1] != 320*time.Second {
		t.Errorf("looked again after %v", waits)
	}
	n := len(w.writes)
	w.pass()
	if len(w.writes) != n {
		t.Error("never stops looking")
	}
	w.wantEvents()
	var got corev1.Secret
	if w.get(&got, "run-mpi-ssh-auth"); string(got.Data["ssh-privatekey"]) != "theirs" || len(got.Data) != 1 {
		t.Error("the Secret was changed")
	}
}

// After a restart one look is enough for a JobSet that has been there for long.
func TestSecretAfterRestart(t *testing.T) {
	w := newWorld(t, wantsSecret())
	w.pass()
	w.now = ended.Add(time.Hour)
	w.restart()
	if wait := w.pass().RequeueAfter; wait != 0 {
		t.Errorf("looks again after %v", wait)
	}
	w.pass()
	w.wantWrites(createSecretRun, createSecretRun)
}

// The Secret of an earlier JobSet of this name is still there, and then is
// collected as garbage.
func TestSecretOfAnEarlierJobSet(t *testing.T) {
	w := newWorld(t, wantsSecret())
	w.settle()
	w.must(w.cluster.Delete(t.Context(), newJobSet()))
	w.pass()
	w.must(w.cluster.Create(t.Context(), newJobSet(annotated(marks.SSHAuth, marks.SSHAuthGenerate), func(js *jobset.JobSet) {
		js.UID, js.CreationTimestamp = "js-2", ended
	})))
	if wait := w.pass().RequeueAfter; wait == 0 {
		t.Fatal("takes the earlier JobSet's Secret for good")
	}
	w.must(w.cluster.Delete(t.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "run-mpi-ssh-auth", Namespace: "team-a"}}))
	w.pass()
	var secret corev1.Secret
	if !w.get(&secret, "run-mpi-ssh-auth") || secret.OwnerReferences[0].UID != "js-2" {
		t.Error("the new JobSet has no Secret of its own")
	}
}

func TestSecretIsNotMade(t *testing.T) {
	for name, c := range map[string]struct {
		edit   func(*jobset.JobSet)
		off    bool
		events []string
	}{
		"not asked for":     {edit: func(js *jobset.JobSet) { delete(js.Annotations, marks.SSHAuth) }},
		"the run has ended": {edit: completed},
		"another value":     {edit: annotated(marks.SSHAuth, "steal"), events: []string{"AnnotationRefused"}},
		"switched off":      {edit: func(*jobset.JobSet) {}, off: true, events: []string{"SSHSecretNotMade"}},
	} {
		t.Run(name, func(t *testing.T) {
			js := wantsSecret()
			c.edit(js)
			w := newWorld(t, js)
			w.r.SSHSecrets = !c.off
			for range 5 {
				w.pass()
			}
			w.wantWrites()
			w.wantEvents(c.events...)
		})
	}
}

// A Secret that can't be made must not hold up the status.
func TestSecretIsDenied(t *testing.T) {
	w := newWorld(t, wantsSecret(), newHandedOver())
	w.before = func(write string) error {
		if write == createSecretRun {
			return apierrors.NewForbidden(schema.GroupResource{Resource: "secrets"}, "", nil)
		}
		return nil
	}
	if wait := w.pass().RequeueAfter; wait != whenDenied {
		t.Errorf("tries again after %v", wait)
	}
	w.wantWrites(createSecretRun, patchRun)
	w.wantEvents("SSHSecretDenied")
}
