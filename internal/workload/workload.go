// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package workload makes packages of TrainJobs of the size that people write,
// for benchmarks and for the tests that count what a job costs. The same
// numbers give the same bytes.
package workload

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// runtimeNames are the built-in runtimes that a TrainJob can be rendered with
// as it stands.
var runtimeNames = []string{
	"torch-distributed", "torch-distributed-with-cache", "deepspeed-distributed",
	"jax-distributed", "mlx-distributed", "xgboost-distributed",
	"torchtune-llama3.2-1b", "torchtune-llama3.2-3b", "torchtune-qwen2.5-1.5b",
}

// trainJob is of the size that people write: a script, variables, resources,
// and a patch for where it runs.
var trainJob = template.Must(template.New("TrainJob").Parse(`apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: {{.Name}}
  namespace: team-{{.Team}}
  labels:
    app.kubernetes.io/part-of: research
    team: team-{{.Team}}
spec:
  runtimeRef:
    name: {{.Runtime}}
  trainer:
    numNodes: {{.Nodes}}
{{- if .Tune}}
    command: [tune, run]
    args:
    - dataset=torchtune.datasets.instruct_dataset
    - dataset.source=parquet
{{- else}}
    image: registry.example/team-{{.Team}}/train:2026.11
    command:
    - bash
    - -c
    - |
      set -euo pipefail
      # warm the cache, then train
      ls /data >/dev/null
      exec torchrun train.py --config configs/{{.Name}}.yaml
{{- end}}
    env:
    - name: HF_HOME
      value: /cache/hf
    - name: NCCL_DEBUG
      value: WARN
    - name: RUN_NAME
      value: {{.Name}}
    - name: WANDB_API_KEY
      valueFrom:
        secretKeyRef:
          name: wandb
          key: token
    resourcesPerNode:
      requests:
        cpu: "16"
        memory: 128Gi
      limits:
        memory: 128Gi
        nvidia.com/gpu: {{.GPUs}}
  runtimePatches:
  - manager: research.example/placement
    trainingRuntimeSpec:
      template:
        spec:
          replicatedJobs:
          - name: node
            template:
              spec:
                template:
                  spec:
                    nodeSelector:
                      pool: a100
                    tolerations:
                    - key: gpu
                      operator: Exists
`))

const foreign = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-%05d
  namespace: team-%d
  labels: {app: web-%05d}
spec:
  replicas: 3
  selector:
    matchLabels: {app: web-%05d}
  template:
    metadata:
      labels: {app: web-%05d}
    spec:
      containers:
      - name: web
        image: registry.example/web:1.4.2
        args: ["--listen=:8080", "--log=info"]
        ports:
        - containerPort: 8080
        env:
        - name: REGION
          value: eu
        resources:
          requests: {cpu: 100m, memory: 128Mi}
          limits: {memory: 256Mi}
`

// Items returns the built-in runtimes, jobs TrainJobs that name them in turn,
// and others objects that are none of our business: a document each. The
// runtimes are read from the repository, whose root is given.
func Items(root string, jobs, others int) ([]string, error) {
	var items []string
	for _, name := range runtimeNames {
		text, err := os.ReadFile(filepath.Join(root, "runtimes", name+".yaml"))
		if err != nil {
			return nil, fmt.Errorf("read the runtimes: %w", err)
		}
		items = append(items, string(text))
	}
	for i := range jobs {
		job, err := newTrainJob(i)
		if err != nil {
			return nil, err
		}
		items = append(items, job)
	}
	for i := range others {
		items = append(items, fmt.Sprintf(foreign, i, i%7, i, i, i))
	}
	return items, nil
}

func newTrainJob(i int) (string, error) {
	runtime := runtimeNames[i%len(runtimeNames)]
	tune := strings.HasPrefix(runtime, "torchtune")
	nodes := i%4 + 1
	if tune {
		nodes = 1
	}
	var text bytes.Buffer
	err := trainJob.Execute(&text, map[string]any{
		"Name": fmt.Sprintf("run-%05d", i), "Team": i % 7, "Runtime": runtime,
		"Tune": tune, "Nodes": nodes, "GPUs": 8,
	})
	if err != nil {
		return "", fmt.Errorf("write a TrainJob: %w", err)
	}
	return text.String(), nil
}

// List writes the items as a ResourceList, in the form that kustomize gives it.
func List(items []string) []byte {
	var list bytes.Buffer
	list.WriteString("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n")
	for _, item := range items {
		prefix := "- "
		for line := range strings.Lines(item) {
			if strings.HasPrefix(line, "#") && prefix == "- " {
				continue
			}
			if strings.TrimSpace(line) != "" {
				list.WriteString(prefix)
			}
			list.WriteString(line)
			prefix = "  "
		}
	}
	return list.Bytes()
}
