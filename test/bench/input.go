// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"

	"github.com/trainyard/trainyard/internal/workload"
)

// input is one package: a ResourceList, and the JobSets that come of it.
type input struct {
	name    string
	list    []byte
	jobSets []byte
}

// newInput has the runtimes, jobs TrainJobs and others objects that are none of
// our business. The renderer makes the JobSets.
func newInput(root, renderer string, jobs, others int) (input, error) {
	in := input{name: fmt.Sprintf("%d TrainJobs", jobs)}
	if others > 0 {
		in.name = fmt.Sprintf("%d others, %d TrainJob", others, jobs)
	}
	items, err := workload.Items(root, jobs, others)
	if err != nil {
		return in, fmt.Errorf("make the input: %w", err)
	}
	in.list = workload.List(items)
	command := exec.Command(renderer, "-")
	command.Stdin = strings.NewReader(strings.Join(items, "---\n"))
	var said bytes.Buffer
	command.Stderr = &said
	if in.jobSets, err = command.Output(); err != nil {
		return in, fmt.Errorf("render the JobSets: %w\n%.2000s", err, said.String())
	}
	return in, nil
}
