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

// others is how many of the programs take objects that are no TrainJobs.
const others = 3

// build builds all programs into the folder. The first is the one that the
// others are compared with.
func build(root, folder string) ([]program, error) {
	list := func(in input) string { return in.list }
	documents := func(in input) string { return in.documents }
	nothing := func(input) string { return os.DevNull }
	at := func(name string) string { return filepath.Join(folder, name) }
	for name, from := range map[string]struct{ module, pkg string }{
		"sdk":         {"", "./peers/sdk"},
		"kyaml":       {"", "./peers/kyaml"},
		"trainer":     {"", "./peers/trainer"},
		"input":       {"", "./input"},
		"kubeconform": {"", "github.com/yannh/kubeconform/cmd/kubeconform"},
		renderer:      {root, "./cmd/render-trainjob"},
	} {
		if err := compile(from.module, at(name), from.pkg); err != nil {
			return nil, err
		}
	}
	return []program{
		{"the SDK's identity function", []string{at("sdk")}, list},
		{"kyaml's identity function", []string{at("kyaml")}, list},
		{"render-trainjob", []string{at(renderer)}, list},
		{"the Trainer's NewObjects", []string{at("trainer")}, documents},
		{"kubeconform on the JobSets", []string{
			at("kubeconform"), "-ignore-missing-schemas", "-schema-location",
			filepath.Join(root, "schemas", "{{.ResourceKind}}_{{.ResourceAPIVersion}}.json"), at("jobsets"),
		}, nothing},
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
