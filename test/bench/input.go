// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// input is one package, in files: a ResourceList, the same objects as documents,
// and a folder of the JobSets that come of it.
type input struct {
	name      string
	list      string
	documents string
	jobSets   string
}

// newInput has the runtimes, jobs TrainJobs and others objects that are none of
// our business. The renderer makes the JobSets.
func newInput(root, folder string, jobs, others int) (input, error) {
	in := input{
		name: strconv.Itoa(jobs) + " TrainJobs", list: filepath.Join(folder, "list.yaml"),
		documents: filepath.Join(folder, "documents.yaml"), jobSets: filepath.Join(folder, "jobsets"),
	}
	if jobs == 1 {
		in.name = "1 TrainJob"
	}
	if others > 0 {
		in.name = strconv.Itoa(others) + " others, " + in.name
	}
	write := []string{filepath.Join(folder, "input"), "-root", root, "-jobs", strconv.Itoa(jobs), "-others", strconv.Itoa(others)}
	if err := pipe(os.DevNull, in.list, write...); err != nil {
		return in, err
	}
	if err := pipe(os.DevNull, in.documents, append(write, "-documents")...); err != nil {
		return in, err
	}
	rendered := filepath.Join(folder, "rendered.yaml")
	if err := pipe(in.documents, rendered, filepath.Join(folder, renderer), "-"); err != nil {
		return in, err
	}
	return in, divide(rendered, in.jobSets)
}

// pipe runs a command from one file into another.
func pipe(from, to string, command ...string) error {
	stdin, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("read the input: %w", err)
	}
	defer func() { _ = stdin.Close() }() // it was only read
	stdout, err := os.Create(to)
	if err != nil {
		return fmt.Errorf("write the input: %w", err)
	}
	var said bytes.Buffer
	run := exec.Command(command[0], command[1:]...)
	run.Stdin, run.Stdout, run.Stderr = stdin, stdout, &said
	if err := errors.Join(run.Run(), stdout.Close()); err != nil {
		return fmt.Errorf("make the input with %s: %w\n%.2000s", command[0], err, said.String())
	}
	return nil
}
