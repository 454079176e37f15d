// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"sigs.k8s.io/yaml"
)

// BenchmarkFirst is what one object costs a new process, the reading of its
// schema included.
func BenchmarkFirst(b *testing.B) {
	for _, kind := range []string{"trainjob", "clustertrainingruntime", "jobset"} {
		object := exampleOf(b, kind)
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				clear(documents.byName)
				Validate(object)
			}
		})
	}
}

// BenchmarkNext is what each further object costs that differs from the others
// in its name, and where its name stands within it.
func BenchmarkNext(b *testing.B) {
	for _, kind := range []string{"trainjob", "jobset"} {
		object := exampleOf(b, kind)
		b.Run(kind, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				Validate(bytes.ReplaceAll(object, []byte("sft-llama"), fmt.Appendf(nil, "run-%d", i)))
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
