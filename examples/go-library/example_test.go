// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package golibrary_test

import (
	"fmt"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/runtimes"
)

// A TrainJob and a runtime go in; a JobSet and findings come out.
func Example() {
	nodes := int32(3)
	job := &trainer.TrainJob{
		ObjectMeta: metav1.ObjectMeta{Name: "multi-node-example", Namespace: "training"},
		Spec: trainer.TrainJobSpec{
			RuntimeRef: trainer.RuntimeRef{Name: "torch-distributed"},
			Trainer: &trainer.Trainer{
				NumNodes: &nodes,
				Command:  []string{"torchrun", "/workspace/train.py"},
			},
		},
	}
	entry, found := runtimes.Builtin().Resolve(job.Spec.RuntimeRef, job.Namespace)
	if !found {
		fmt.Println("no such runtime")
		return
	}

	result := render.Render(job, entry.Runtime, render.Options{})

	for _, finding := range result.Findings {
		fmt.Println(finding.Severity, finding.Field, finding.Message)
	}
	node := result.JobSet.Spec.ReplicatedJobs[0]
	fmt.Println(result.JobSet.Name, "runs", *node.Template.Spec.Parallelism, "pods of", node.Name)
	for _, env := range node.Template.Spec.Template.Spec.Containers[0].Env {
		fmt.Println(env.Name + "=" + env.Value)
	}
	// Output:
	// info spec.trainer.resourcesPerNode neither the runtime nor the TrainJob names resources to derive the number of processes from: one is started on each node
	// multi-node-example runs 3 pods of node
	// PET_NNODES=3
	// PET_NPROC_PER_NODE=1
	// PET_NODE_RANK=
	// PET_MASTER_ADDR=multi-node-example-node-0-0.multi-node-example
	// PET_MASTER_PORT=29500
}

// What a user got wrong is a finding, and then there is no JobSet.
func Example_findings() {
	job := &trainer.TrainJob{
		ObjectMeta: metav1.ObjectMeta{Name: "wrong"},
		Spec: trainer.TrainJobSpec{
			RuntimePatches: []trainer.RuntimePatch{{Manager: "team-a"}},
		},
	}
	entry, _ := runtimes.Builtin().Resolve(trainer.RuntimeRef{Name: "torch-distributed"}, "")

	result := render.Render(job, entry.Runtime, render.Options{})

	fmt.Println("JobSet:", result.JobSet)
	for _, finding := range result.Findings {
		fmt.Println(finding.Severity, finding.Rule, finding.Field)
	}
	// Output:
	// JobSet: <nil>
	// error patch-manager spec.runtimePatches[0].manager
	// info no-resources spec.trainer.resourcesPerNode
}
