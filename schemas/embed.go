// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"embed"
	"fmt"
	"sync"
)

//go:embed *.json
var files embed.FS

// fileNames are the schemas by apiVersion and kind.
var fileNames = map[typeMeta]string{
	{"trainer.kubeflow.org/v1alpha1", "TrainJob"}:               "trainjob_v1alpha1.json",
	{"trainer.kubeflow.org/v1alpha1", "TrainingRuntime"}:        "trainingruntime_v1alpha1.json",
	{"trainer.kubeflow.org/v1alpha1", "ClusterTrainingRuntime"}: "clustertrainingruntime_v1alpha1.json",
	{"jobset.x-k8s.io/v1alpha2", "JobSet"}:                      "jobset_v1alpha2.json",
	{"scheduling.x-k8s.io/v1alpha1", "PodGroup"}:                "podgroup.scheduling.x-k8s.io_v1alpha1.json",
	{"scheduling.volcano.sh/v1beta1", "PodGroup"}:               "podgroup.scheduling.volcano.sh_v1beta1.json",
	{"trainyard.dev/v1alpha1", "RenderTrainJob"}:                "rendertrainjob_v1alpha1.json",
}

// typeMeta names a schema.
type typeMeta struct{ apiVersion, kind string }

// documents are the schemas that have been asked for, by file name.
var documents struct {
	sync.Mutex
	byName map[string]*document
}

// documentOf returns the schema of a kind, or nil if there is none.
func documentOf(t typeMeta) *document {
	name := fileNames[t]
	if name == "" {
		return nil
	}
	documents.Lock()
	defer documents.Unlock()
	if known := documents.byName[name]; known != nil {
		return known
	}
	text, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Errorf("read embedded schema: %w", err)) // a table in this file names what is not there
	}
	if documents.byName == nil {
		documents.byName = map[string]*document{}
	}
	documents.byName[name] = newDocument(name, text)
	return documents.byName[name]
}
