// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package runtimes

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/render"
)

//go:embed *.yaml
var files embed.FS

//go:embed RELEASE
var release string

// Release is the version of the Trainer that ships the built-in runtimes,
// such as "v2.3.0".
func Release() string { return strings.TrimSpace(release) }

// builtin reads each built-in runtime when it is first asked for.
var builtin = sync.OnceValue(func() map[string]func() Entry {
	readers := map[string]func() Entry{}
	for _, name := range builtinNames() {
		readers[name] = sync.OnceValue(func() Entry { return read(name) })
	}
	return readers
})

// builtinNames returns the names of the built-in runtimes, sorted: a file is
// named after its runtime.
func builtinNames() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(fmt.Errorf("list embedded runtimes: %w", err)) // the program was built wrongly
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = strings.TrimSuffix(entry.Name(), path.Ext(entry.Name()))
	}
	slices.Sort(names)
	return names
}

func read(name string) Entry {
	text, err := files.ReadFile(name + ".yaml")
	if err != nil {
		panic(fmt.Errorf("read embedded runtime: %w", err))
	}
	var r trainer.ClusterTrainingRuntime
	if err := yaml.UnmarshalStrict(text, &r); err != nil {
		panic(fmt.Errorf("read embedded runtime %s: %w", name, err))
	}
	return Entry{
		Runtime: render.Runtime{Kind: r.Kind, Name: r.Name, Labels: r.Labels, Spec: r.Spec},
		BuiltIn: true,
	}
}
