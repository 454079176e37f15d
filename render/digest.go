// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/policy"
)

// Digest tells one state of a TrainJob from another: 32 hex digits over its
// spec and the metadata that goes to the JobSet. Runtime and options do not
// count: a run that exists stays as it is when they change.
func Digest(t *trainer.TrainJob) string {
	return digest(struct {
		Spec     trainer.TrainJobSpec
		Metadata policy.Metadata
	}{t.Spec, carried(t)})[:32]
}

// contentHash is eight hex digits over what can't change in a JobSet that runs:
// its spec without the few fields that can, and its queue.
func contentHash(js *jobset.JobSet) string {
	spec := js.Spec.DeepCopy()
	spec.Suspend, spec.TTLSecondsAfterFinished, spec.Coordinator = nil, nil, nil
	return digest(struct {
		Spec  *jobset.JobSetSpec
		Queue string
	}{spec, js.Labels[marks.QueueName]})[:8]
}

func digest[T any](value T) string {
	document, err := json.Marshal(value)
	if err != nil { // the API's types always encode, unless a caller built an impossible one
		document = fmt.Appendf(nil, "%v", value)
	}
	sum := sha256.Sum256(document)
	return hex.EncodeToString(sum[:])
}
