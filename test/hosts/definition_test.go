// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package hosts_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/fn"
	"github.com/trainyard/trainyard/test/hosts/lab"
)

// TestFunctionDefinition holds what catalogues read against the function: its
// kind, its image and its options.
func TestFunctionDefinition(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "deploy", "kpt", "krm-function-definition.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var definition framework.KRMFunctionDefinition
	if err := yaml.UnmarshalStrict(text, &definition); err != nil {
		t.Fatal(err)
	}
	if kind := definition.Spec.Names.Kind; kind != fn.ConfigKind {
		t.Errorf("it defines a %s", kind)
	}
	version := definition.Spec.Versions[0]
	if image := version.Runtime.Container.Image; image != lab.Image {
		t.Errorf("it runs %s", image)
	}
	want, got := map[string]string{}, map[string]string{}
	for _, key := range fn.Keys() {
		want[key.Name] = fmt.Sprint(key.Values)
	}
	for name, option := range version.Schema.OpenAPIV3Schema.Properties["spec"].Properties {
		got[name] = fmt.Sprint(option.Enum)
		if option.Type.Contains("boolean") {
			got[name] = "[false true]"
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("options of the function -, of the definition +:\n%s", diff)
	}
}
