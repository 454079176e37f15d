// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// input is one package, in files: a ResourceList, and the JobSets that come of
// it.
type input struct {
	name    string
	list    string
	jobSets string
}

// newInput has the runtimes, jobs TrainJobs and others objects that are none of
// our business. The renderer makes the JobSets.
func newInput(root, folder string, jobs, others int) (input, error) {
	in := input{name: fmt.Sprintf("%d TrainJobs", jobs), list: filepath.Join(folder, "list.yaml"), jobSets: filepath.Join(folder, "jobsets.yaml")}
	if others > 0 {
		in.name = fmt.Sprintf("%d others, %d TrainJob", others, jobs)
	}
	documents := filepath.Join(folder, "documents.yaml")
	write := []string{filepath.Join(folder, "input"), "-root", root, "-jobs", strconv.Itoa(jobs), "-others", strconv.Itoa(others)}
	if err := pipe(os.DevNull, in.list, write...); err != nil {
		return in, err
	}
	if err := pipe(os.DevNull, documents, append(write, "-documents")...); err != nil {
		return in, err
	}
	return in, pipe(documents, in.jobSets, filepath.Join(folder, renderer), "-")
}

// pipe runs a command from one file into another.
func pipe(from, to string, command ...string) error {
	stdin, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("read the input: %w", err)
	}
	defer stdin.Close()
	stdout, err := os.Create(to)
	if err != nil {
		return fmt.Errorf("write the input: %w", err)
	}
	defer stdout.Close()
	var said bytes.Buffer
	run := exec.Command(command[0], command[1:]...)
	run.Stdin, run.Stdout, run.Stderr = stdin, stdout, &said
	if err := run.Run(); err != nil {
		return fmt.Errorf("make the input with %s: %w\n%.2000s", command[0], err, said.String())
	}
	return nil
}
