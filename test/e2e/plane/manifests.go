// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// kustomize builds a kustomization of a module.
func (t tools) kustomize(ctx context.Context, path, dir string) ([]*unstructured.Unstructured, error) {
	m, err := t.module(ctx, path)
	if err != nil {
		return nil, err
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Join(m.Dir, dir))
	if err != nil {
		return nil, fmt.Errorf("build %s of %s: %w", dir, path, err)
	}
	text, err := built.AsYaml()
	if err != nil {
		return nil, err
	}
	return Decode(text)
}

// file reads the objects in a file of a module.
func (t tools) file(ctx context.Context, path, file string) ([]*unstructured.Unstructured, error) {
	m, err := t.module(ctx, path)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(m.Dir, file))
	if err != nil {
		return nil, err
	}
	return Decode(text)
}

// Decode reads the objects of a YAML stream.
func Decode(text []byte) ([]*unstructured.Unstructured, error) {
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	var objects []*unstructured.Unstructured
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, fmt.Errorf("decode YAML: %w", err)
		}
		if len(object.Object) > 0 {
			objects = append(objects, object)
		}
	}
}
