// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
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
	return DecodeFile(filepath.Join(m.Dir, file))
}

// DecodeFile reads the objects in a YAML file.
func DecodeFile(name string) ([]*unstructured.Unstructured, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Decode(text)
}

// Decode reads the objects of a YAML stream.
func Decode(text []byte) ([]*unstructured.Unstructured, error) {
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	var objects []*unstructured.Unstructured
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, fmt.Errorf("split YAML: %w", err)
		}
		object, err := decode(document)
		if err != nil {
			return nil, fmt.Errorf("decode YAML: %w", err)
		}
		if len(object.Object) > 0 {
			objects = append(objects, object)
		}
	}
}

// decode keeps whole numbers whole, as the API server does.
func decode(document []byte) (*unstructured.Unstructured, error) {
	object := &unstructured.Unstructured{}
	text, err := utilyaml.ToJSON(document)
	if err != nil {
		return nil, err
	}
	return object, utiljson.Unmarshal(text, &object.Object)
}
