// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"os"
	"path/filepath"
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/internal/golden"
)

// TestStatus compares with the status.yaml of each case.
func TestStatus(t *testing.T) {
	eachCase(t, func(t *testing.T, c statusCase) {
		got, err := yaml.Marshal(Status(c.trainJob.Status, c.jobSet))
		if err != nil {
			t.Fatal(err)
		}
		golden.File(t, filepath.Join(c.folder, "status.yaml"), got)
	})
}

// statusCase is a folder of testdata/mirror.
type statusCase struct {
	folder   string
	trainJob *trainer.TrainJob
	jobSet   *jobset.JobSet
}

func eachCase(t *testing.T, run func(*testing.T, statusCase)) {
	golden.Cases(t, "../testdata/mirror", func(t *testing.T, folder string) {
		c := statusCase{folder: folder, trainJob: &trainer.TrainJob{}, jobSet: &jobset.JobSet{}}
		decode(t, filepath.Join(folder, "trainjob.yaml"), c.trainJob)
		decode(t, filepath.Join(folder, "jobset.yaml"), c.jobSet)
		run(t, c)
	})
}

// decode is strict, so that a case can't say what nobody reads.
func decode(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(text, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}
