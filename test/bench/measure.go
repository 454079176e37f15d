// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// program is something that is measured.
type program struct {
	name    string
	command []string
	given   func(input) string // the file that is its standard input
}

// cost is what one run of a program took, as the operating system counts it.
type cost struct {
	cpu, wall time.Duration
	peak      int64 // of resident memory, in bytes
}

// run runs the program once. It fails where the program does: a peer that
// refuses the input would look fast.
func (p program) run(in input) (cost, error) {
	stdin, err := os.Open(p.given(in))
	if err != nil {
		return cost{}, fmt.Errorf("read the input: %w", err)
	}
	defer func() { _ = stdin.Close() }() // it was only read
	command := exec.Command(p.command[0], p.command[1:]...)
	command.Stdin = stdin // and no stdout: what it writes is dropped
	var said bytes.Buffer
	command.Stderr = &said
	start := time.Now()
	if err := command.Run(); err != nil {
		return cost{}, fmt.Errorf("run %s over %s: %w\n%.2000s", p.name, in.name, err, said.String())
	}
	c := cost{wall: time.Since(start), cpu: command.ProcessState.UserTime() + command.ProcessState.SystemTime()}
	if usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.peak = usage.Maxrss << 10
	}
	return c, nil
}

// medians runs the programs in turn, round by round, so that a machine that
// slows down slows all of them, and returns each one's median costs.
func medians(programs []program, in input, rounds int) ([]cost, error) {
	runs := make([][]cost, len(programs))
	for range rounds {
		for i, p := range programs {
			c, err := p.run(in)
			if err != nil {
				return nil, err
			}
			runs[i] = append(runs[i], c)
		}
	}
	middle := make([]cost, len(programs))
	for i, costs := range runs {
		middle[i] = cost{
			cpu:  median(costs, func(c cost) time.Duration { return c.cpu }),
			wall: median(costs, func(c cost) time.Duration { return c.wall }),
			peak: median(costs, func(c cost) int64 { return c.peak }),
		}
	}
	return middle, nil
}

func median[T int64 | time.Duration](costs []cost, of func(cost) T) T {
	var values []T
	for _, c := range costs {
		values = append(values, of(c))
	}
	slices.Sort(values)
	return values[len(values)/2]
}
