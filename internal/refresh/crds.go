// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// crd is what is read of a CustomResourceDefinition.
type crd struct {
	Spec struct {
		Group    string
		Names    struct{ Kind string }
		Versions []struct {
			Name    string
			Storage bool
			Schema  struct{ OpenAPIV3Schema json.RawMessage }
		}
	}
}

// source is where the CRD of one kind comes from.
type source struct {
	module string // the Go module
	file   string // of the CRD in it; empty: it is generated from types
	types  string // the Go package of the types
	deploy bool   // it is one that the TrainJobs themselves need in a cluster
}

// sources are the CRDs of the objects that are read and written.
var sources = []source{
	{module: trainerModule, file: "manifests/base/crds/trainer.kubeflow.org_trainjobs.yaml", deploy: true},
	{module: trainerModule, file: "manifests/base/crds/trainer.kubeflow.org_trainingruntimes.yaml", deploy: true},
	{module: trainerModule, file: "manifests/base/crds/trainer.kubeflow.org_clustertrainingruntimes.yaml", deploy: true},
	{module: "sigs.k8s.io/jobset", file: "config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml"},
	{module: "sigs.k8s.io/scheduler-plugins", file: "config/crd/bases/scheduling.x-k8s.io_podgroups.yaml"},
	{module: "volcano.sh/apis", types: "volcano.sh/apis/pkg/apis/scheduling/v1beta1"},
}

// crdFiles returns the CRDs that a cluster needs for TrainJobs, and the schema
// of each source: file name to content.
func crdFiles() (crds, schemas map[string][]byte, err error) {
	crds, schemas = map[string][]byte{}, map[string][]byte{}
	for _, s := range sources {
		m, err := locate(s.module)
		if err != nil {
			return nil, nil, err
		}
		text, err := s.text(m)
		if err != nil {
			return nil, nil, err
		}
		if s.deploy {
			crds[path.Base(s.file)] = m.commented(text)
		}
		c, err := parse(text)
		if err != nil {
			return nil, nil, err
		}
		name, schema, err := schemaFile(m, c)
		if err != nil {
			return nil, nil, err
		}
		schemas[name] = schema
	}
	return crds, schemas, nil
}

// text returns the CRD as YAML.
func (s source) text(m module) ([]byte, error) {
	if s.file != "" {
		return os.ReadFile(filepath.Join(m.Dir, s.file))
	}
	// Volcano's module holds the types only; its CRDs are made from them.
	out, err := exec.Command("go", "tool", "controller-gen", "crd", "paths="+s.types, "output:crd:stdout").Output()
	if err != nil {
		return nil, fmt.Errorf("generate CRDs of %s: %w", s.types, err)
	}
	return onlyPodGroup(out)
}

// onlyPodGroup picks the PodGroup among several CRDs.
func onlyPodGroup(crds []byte) ([]byte, error) {
	for document := range strings.SplitSeq(string(crds), "\n---\n") {
		if strings.Contains(document, "    kind: PodGroup\n") {
			return []byte(strings.TrimPrefix(document, "---\n")), nil
		}
	}
	return nil, fmt.Errorf("no CRD of PodGroup")
}

// parse reads a CRD strictly enough for its schema.
func parse(text []byte) (crd, error) {
	var c crd
	if err := yaml.Unmarshal(text, &c); err != nil {
		return crd{}, fmt.Errorf("read CRD: %w", err)
	}
	return c, nil
}
