// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// moduleFolder finds a folder of a module at the version of go.mod.
func moduleFolder(module, folder string) (string, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("find module %s: %w", module, err)
	}
	return filepath.Join(string(bytes.TrimSpace(dir)), folder), nil
}

// ReadFolder reads all the objects of a folder's YAML files.
func ReadFolder(folder string) ([]map[string]any, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	var objects []map[string]any
	for _, file := range files {
		more, err := ReadFile(file)
		if err != nil {
			return nil, err
		}
		objects = append(objects, more...)
	}
	return objects, nil
}

// ReadFile reads the objects of a YAML file as kubectl does.
func ReadFile(file string) ([]map[string]any, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	objects, err := Read(text)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return objects, nil
}

// Read reads YAML documents as kubectl does.
func Read(text []byte) ([]map[string]any, error) {
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	var objects []map[string]any
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		asJSON, err := yaml.YAMLToJSON(document)
		if err != nil {
			return nil, err
		}
		var object map[string]any
		if err := json.Unmarshal(asJSON, &object); err != nil {
			return nil, err
		}
		if len(object) > 0 {
			objects = append(objects, object)
		}
	}
}

func metadata(object map[string]any, field string) string {
	value, _, _ := unstructured.NestedString(object, "metadata", field)
	return value
}

func label(object map[string]any, name string) string {
	value, _, _ := unstructured.NestedString(object, "metadata", "labels", name)
	return value
}

func setNamespace(object map[string]any, namespace string) {
	meta, ok := object["metadata"].(map[string]any)
	if ok && (meta["namespace"] == nil || meta["namespace"] == "") {
		meta["namespace"] = namespace
	}
}
