// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const renderer = "render-trainjob"

// build builds all programs into the folder. The first is the one that the
// others are compared with.
func build(root, folder string) ([]program, error) {
	list := func(in input) string { return in.list }
	jobSets := func(in input) string { return in.jobSets }
	at := func(name string) string { return filepath.Join(folder, name) }
	for name, from := range map[string]struct{ module, pkg string }{
		"sdk":         {"", "./peers/sdk"},
		"kyaml":       {"", "./peers/kyaml"},
		"input":       {"", "./input"},
		"kubeconform": {"", "github.com/yannh/kubeconform/cmd/kubeconform"},
		renderer:      {root, "./cmd/render-trainjob"},
	} {
		if err := compile(from.module, at(name), from.pkg); err != nil {
			return nil, err
		}
	}
	return []program{
		{"the SDK's identity function", []string{at("sdk")}, list, 0},
		{"kyaml's identity function", []string{at("kyaml")}, list, 0},
		{"render-trainjob", []string{at(renderer)}, list, 0},
		{"kubeconform on the JobSets", []string{
			at("kubeconform"), "-ignore-missing-schemas", "-schema-location",
			filepath.Join(root, "schemas", "{{.ResourceKind}}_{{.ResourceAPIVersion}}.json"),
		}, jobSets, 1_000}, // beyond 4 MB it mixes up what it reads from stdin
	}, nil
}

func compile(module, to, pkg string) error {
	command := exec.Command("go", "build", "-ldflags", "-s -w", "-o", to, pkg)
	command.Dir = module
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", pkg, err, said)
	}
	return nil
}
