// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"os"
	"testing"

	"sigs.k8s.io/yaml"
)

// BenchmarkFirst is what one object costs a new process, its schema's
// compilation included.
func BenchmarkFirst(b *testing.B) {
	for _, kind := range []string{"trainjob", "clustertrainingruntime", "jobset"} {
		object := exampleOf(b, kind)
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				documents.Clear()
				Validate(object)
			}
		})
	}
}

// BenchmarkNext is what each further object costs.
func BenchmarkNext(b *testing.B) {
	for _, kind := range []string{"trainjob", "clustertrainingruntime", "jobset"} {
		object := exampleOf(b, kind)
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				Validate(object)
			}
		})
	}
}

func exampleOf(b *testing.B, kind string) []byte {
	b.Helper()
	text, err := os.ReadFile("../testdata/schemas/" + kind + "/valid-usual.yaml")
	if err != nil {
		b.Fatal(err)
	}
	object, err := yaml.YAMLToJSON(text)
	if err != nil {
		b.Fatal(err)
	}
	if found := Validate(object); found != nil {
		b.Fatal(found)
	}
	return object
}
