// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"encoding/json"
	"fmt"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
)

// schemaNode is as much of an OpenAPI schema as tells which fields there are.
type schemaNode struct {
	Properties map[string]schemaNode `json:"properties"`
	Items      *schemaNode           `json:"items"`
}

// neededFields are those of a TrainJob that the mirror reads or writes.
var neededFields = []string{
	"spec.managedBy", "spec.runtimeRef",
	"status.conditions.reason", "status.conditions.lastTransitionTime",
	"status.jobsStatus.name", "status.jobsStatus.ready", "status.jobsStatus.succeeded",
	"status.jobsStatus.failed", "status.jobsStatus.active", "status.jobsStatus.suspended",
}

// since23 is a field that came with the Trainer 2.3.
const since23 = "spec.runtimePatches.trainingRuntimeSpec.template.spec.replicatedJobs" +
	".template.spec.template.spec.terminationGracePeriodSeconds"

const oldTrainer = "its controller ignores spec.managedBy and would write the same statuses for ever. " +
	"Upgrade to 2.3, also if you mean to remove the Trainer afterwards: from 2.0, 2.1 and 2.2 the way leads through 2.3, " +
	"which takes the finalizers off the runtimes"

// trainJobShape reads the schema of the installed CRD, which every client may.
func (p preflight) trainJobShape() verdict {
	crd, err := p.trainJobSchema()
	if err != nil {
		return verdict{text: fmt.Sprintf("the shape of the TrainJob CRD was not checked: %v", err)}
	}
	for _, field := range neededFields {
		if !crd.has(field) {
			return verdict{forbids: true, text: "the TrainJob CRD is of an unknown shape: it has no " + field +
				"; install the CRDs of the Trainer 2.3 (deploy/crds)"}
		}
	}
	switch {
	case crd.has(since23):
		return verdict{text: "the TrainJob CRD is that of the Trainer 2.3 or later"}
	case p.options.AllowOldTrainer:
		return verdict{text: "the TrainJob CRD is that of a Trainer older than 2.3; allowed by --allow-old-trainer"}
	}
	return verdict{forbids: true, text: "the TrainJob CRD is that of a Trainer older than 2.3: " + oldTrainer +
		". If no such controller runs, install the CRDs of 2.3 (deploy/crds), or start with --allow-old-trainer"}
}

func (p preflight) trainJobSchema() (schemaNode, error) {
	paths, err := p.discovery.OpenAPIV3().Paths()
	if err != nil {
		return schemaNode{}, err
	}
	document, ok := paths["apis/"+trainer.GroupVersion.String()]
	if !ok {
		return schemaNode{}, fmt.Errorf("the API server publishes no schema of %s", trainer.GroupVersion)
	}
	text, err := document.Schema("application/json")
	if err != nil {
		return schemaNode{}, err
	}
	var api struct {
		Components struct {
			Schemas map[string]schemaNode `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(text, &api); err != nil {
		return schemaNode{}, err
	}
	for name, schema := range api.Components.Schemas {
		if strings.HasSuffix(name, "."+trainer.TrainJobKind) {
			return schema, nil
		}
	}
	return schemaNode{}, fmt.Errorf("the API server publishes no schema of %s", trainer.TrainJobKind)
}

// has follows a path of field names, through lists as well.
func (n schemaNode) has(path string) bool {
	for field := range strings.SplitSeq(path, ".") {
		if n.Items != nil {
			n = *n.Items
		}
		next, ok := n.Properties[field]
		if !ok {
			return false
		}
		n = next
	}
	return true
}
