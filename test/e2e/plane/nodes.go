// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The cluster has Nodes nodes, each with GPUs of nvidia.com/gpu.
const (
	Nodes = 16
	GPUs  = 8
)

// startNodes starts KWOK, makes the nodes and waits until they are ready.
func (p *Plane) startNodes(ctx context.Context) error {
	stages, err := p.stages(ctx)
	if err != nil {
		return err
	}
	err = p.run("kwok", "--kubeconfig="+p.Kubeconfig, "--manage-all-nodes=true", "--config="+stages,
		"--server-address="+p.address("kwok"), "--node-ip=127.0.0.1")
	if err != nil {
		return err
	}
	classes, err := p.tools.file(ctx, "sigs.k8s.io/kwok", "kustomize/stage/volume/fast/storage-class.yaml")
	if err != nil {
		return err
	}
	if err := p.Apply(ctx, classes...); err != nil {
		return err
	}
	for i := range Nodes {
		if err := p.Client.Create(ctx, node(fmt.Sprintf("node-%d", i))); err != nil {
			return fmt.Errorf("create node %d: %w", i, err)
		}
	}
	return p.eventually(ctx, "kwok", p.nodesReady)
}

func node(name string) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			corev1.LabelHostname: name, corev1.LabelArchStable: "amd64", corev1.LabelOSStable: "linux",
		}},
		Status: corev1.NodeStatus{Allocatable: capacity(), Capacity: capacity()},
	}
}

func capacity() corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("128"),
		corev1.ResourceMemory: resource.MustParse("1Ti"),
		corev1.ResourcePods:   resource.MustParse("500"),
		"nvidia.com/gpu":      *resource.NewQuantity(GPUs, resource.DecimalSI),
	}
}

func (p *Plane) nodesReady(ctx context.Context) error {
	var nodes corev1.NodeList
	if err := p.Client.List(ctx, &nodes, client.Limit(Nodes)); err != nil {
		return err
	}
	for _, node := range nodes.Items {
		if !ready(node) {
			return fmt.Errorf("%s is not ready", node.Name)
		}
	}
	return nil
}

func ready(node corev1.Node) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}
