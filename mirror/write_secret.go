// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/trainyard/trainyard/internal/marks"
)

// secretTries counts how often a JobSet's Secret was there already.
type secretTries struct {
	jobSet types.UID
	tries  int
	done   bool
}

const (
	maxSecretTries   = 8
	firstSecretRetry = 5 * time.Second
)

// secret makes the SSH Secret if it is missing. The mirror may create Secrets
// and do nothing else with them: creating is how it looks, and a Secret that
// exists is never touched.
func (r *Reconciler) secret(ctx context.Context, p pair) (time.Duration, error) {
	value, asked := p.jobSet.Annotations[marks.SSHAuth]
	if p.past.secret.jobSet != p.jobSet.UID {
		p.past.secret = secretTries{jobSet: p.jobSet.UID}
	}
	switch {
	case !asked, p.past.secret.done, jobSetEnd(p.jobSet) != nil:
		return 0, nil
	case value != marks.SSHAuthGenerate:
		r.refuse(p, marks.SSHAuth, "must be "+marks.SSHAuthGenerate)
		return 0, nil
	case !r.SSHSecrets:
		r.tell(p, p.jobSet, "", notice{
			reason: "SSHSecretNotMade", action: "CreateSecret",
			note: "this mirror makes no Secrets; the pods wait for the Secret " + p.key.Name + marks.SSHAuthSecretSuffix,
		})
		return 0, nil
	}
	return r.createSecret(ctx, p)
}

func (r *Reconciler) createSecret(ctx context.Context, p pair) (time.Duration, error) {
	secret, err := newSSHSecret(p.jobSet)
	if err != nil {
		return 0, err
	}
	err = r.Create(ctx, secret, client.FieldOwner(fieldOwner))
	switch {
	case err == nil:
		r.Metrics.wrote("secrets", "create")
		p.past.secret.done = true
		return 0, nil
	case apierrors.IsAlreadyExists(err):
		return p.past.secret.again(r.Now().Sub(p.jobSet.CreationTimestamp.Time)), nil
	case isDenied(err):
		r.tell(p, p.jobSet, "", notice{reason: "SSHSecretDenied", action: "CreateSecret", note: err.Error()})
		return whenDenied, nil
	}
	return 0, fmt.Errorf("create the SSH Secret: %w", err)
}

// again says after how long to see whether the Secret is still there. One that
// belonged to an earlier JobSet of this name is about to be collected as
// garbage; that takes seconds, so it ends after some ten minutes.
func (s *secretTries) again(age time.Duration) time.Duration {
	wait := firstSecretRetry << s.tries
	s.tries++
	if s.tries == maxSecretTries || age > firstSecretRetry<<maxSecretTries {
		s.done = true
		return 0
	}
	return wait
}
