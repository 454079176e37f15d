// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Command trainer renders with the Trainer's own code. It reads a file of
// manifests, calls NewObjects for each TrainJob as the Trainer's controller
// does, and writes what that would apply as YAML. It is spared what a cluster
// does besides: nothing is validated, runtimes come from memory, and the SSH
// keys of MPI are there already.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-logr/logr"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"github.com/kubeflow/trainer/v2/pkg/runtime/core"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

func main() {
	ctrl.SetLogger(logr.Discard())
	if err := render(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// render renders the TrainJobs of in; the runtimes stand before them.
func render(ctx context.Context, in io.Reader, out io.Writer) error {
	known := runtimes{}
	fake, err := newClient(known)
	if err != nil {
		return err
	}
	registered, err := core.New(ctx, fake, noIndex{}, nil)
	if err != nil {
		return fmt.Errorf("start the Trainer: %w", err)
	}
	renderer := registered[trainer.GroupVersion.WithKind(trainer.ClusterTrainingRuntimeKind).GroupKind().String()]
	written := bufio.NewWriter(out)
	for documents := utilyaml.NewYAMLReader(bufio.NewReader(in)); ; {
		document, err := documents.Read()
		switch {
		case errors.Is(err, io.EOF):
			return written.Flush()
		case err != nil:
			return fmt.Errorf("read the input: %w", err)
		}
		job, err := read(document, known)
		if err != nil || job == nil {
			if err != nil {
				return err
			}
			continue
		}
		objects, err := renderer.NewObjects(ctx, job)
		if err != nil {
			return fmt.Errorf("render %s: %w", job.Name, err)
		}
		if err := write(written, objects); err != nil {
			return err
		}
	}
}

// read returns the TrainJob of a document, or keeps its runtime.
func read(document []byte, known runtimes) (*trainer.TrainJob, error) {
	var meta runtime.TypeMeta
	if err := yaml.Unmarshal(document, &meta); err != nil {
		return nil, fmt.Errorf("read the input: %w", err)
	}
	switch meta.Kind {
	case trainer.ClusterTrainingRuntimeKind:
		var found trainer.ClusterTrainingRuntime
		err := yaml.Unmarshal(document, &found)
		known[found.Name] = &found
		return nil, err
	case trainer.TrainJobKind:
		var job trainer.TrainJob
		if err := yaml.Unmarshal(document, &job); err != nil {
			return nil, fmt.Errorf("read the input: %w", err)
		}
		job.UID = "uid" // the API server's
		return &job, nil
	}
	return nil, fmt.Errorf("the input holds a %s", meta.Kind)
}

func write(out io.Writer, objects []runtime.ApplyConfiguration) error {
	for _, object := range objects {
		text, err := yaml.Marshal(object)
		if err != nil {
			return fmt.Errorf("write an object: %w", err)
		}
		if _, err := fmt.Fprintf(out, "---\n%s", text); err != nil {
			return fmt.Errorf("write an object: %w", err)
		}
	}
	return nil
}

// noIndex is the index of a client that is only asked for objects by name.
type noIndex struct{}

// IndexField does nothing.
func (noIndex) IndexField(context.Context, client.Object, string, client.IndexerFunc) error {
	return nil
}
