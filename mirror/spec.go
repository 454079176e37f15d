// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	kjson "sigs.k8s.io/json"

	"github.com/trainyard/trainyard/internal/marks"
)

// trainJobSpec reads the annotation of a whole JobSet. An error says what is
// wrong in words that hold nothing of the annotation itself.
func trainJobSpec(js *jobset.JobSet) (trainer.TrainJobSpec, error) {
	text := js.Annotations[marks.TrainJobSpec]
	if len(text) > marks.MaxTrainJobSpec {
		return trainer.TrainJobSpec{}, fmt.Errorf("has %d bytes; at most %d are read", len(text), marks.MaxTrainJobSpec)
	}
	spec, err := decodeSpec(text)
	if err != nil {
		return spec, err
	}
	if err := checkRuntimeRef(spec.RuntimeRef); err != nil {
		return spec, err
	}
	return withCommand(spec, js), nil
}

// decodeSpec is strict: an unknown field means that this is something else than
// the spec of a TrainJob.
func decodeSpec(text string) (trainer.TrainJobSpec, error) {
	var spec trainer.TrainJobSpec
	strict, err := kjson.UnmarshalStrict([]byte(text), &spec)
	if err != nil || len(strict) > 0 {
		return spec, errors.New("is not the spec of a TrainJob")
	}
	return spec, nil
}

func checkRuntimeRef(ref trainer.RuntimeRef) error {
	if ref.Name == "" {
		return errors.New("names no runtime")
	}
	if ref.APIGroup != nil && *ref.APIGroup != trainer.GroupVersion.Group {
		return fmt.Errorf("names a runtime of another API group than %s", trainer.GroupVersion.Group)
	}
	if ref.Kind != nil && *ref.Kind != trainer.TrainingRuntimeKind && *ref.Kind != trainer.ClusterTrainingRuntimeKind {
		return fmt.Errorf("names a runtime of another kind than %s and %s",
			trainer.TrainingRuntimeKind, trainer.ClusterTrainingRuntimeKind)
	}
	return nil
}

// withCommand puts back a command that was too long for the annotation; the
// JobSet holds it anyway. One that would have fitted was not left out: the
// TrainJob had none, and what the JobSet runs is the runtime's.
func withCommand(spec trainer.TrainJobSpec, js *jobset.JobSet) trainer.TrainJobSpec {
	container := trainerContainer(js)
	if container == nil || spec.Trainer != nil && (spec.Trainer.Command != nil || spec.Trainer.Args != nil) {
		return spec
	}
	full := *spec.DeepCopy()
	if full.Trainer == nil {
		full.Trainer = &trainer.Trainer{}
	}
	full.Trainer.Command, full.Trainer.Args = container.Command, container.Args
	if len(encodeSpec(full)) <= marks.MaxTrainJobSpec {
		return spec
	}
	return full
}

// encodeSpec writes a spec as the renderer does.
func encodeSpec(spec trainer.TrainJobSpec) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(spec); err != nil { // the API's types always encode
		return ""
	}
	return strings.TrimSpace(text.String())
}

// trainerContainer is the container "node" of the job that trains, or nil.
func trainerContainer(js *jobset.JobSet) *corev1.Container {
	for _, job := range js.Spec.ReplicatedJobs {
		if job.Template.Labels[marks.Ancestor] != "trainer" {
			continue
		}
		for _, container := range job.Template.Spec.Template.Spec.Containers {
			if container.Name == "node" {
				return &container
			}
		}
	}
	return nil
}

const digestPrefix = "sha256:"

// specDigest tells apart what two annotations mean, not how they are written.
// The digest of a digest is itself: what enters the cache may pass twice.
func specDigest(text string) string {
	if len(text) == len(digestPrefix)+hex.EncodedLen(sha256.Size) && strings.HasPrefix(text, digestPrefix) {
		return text
	}
	if spec, err := decodeSpec(text); err == nil {
		text = encodeSpec(spec)
	}
	sum := sha256.Sum256([]byte(text))
	return digestPrefix + hex.EncodeToString(sum[:])
}
