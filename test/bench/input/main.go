// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Command input writes what is measured: a ResourceList, or with -documents the
// same objects as a file of manifests. It is a program of its own since Linux
// counts a parent's memory as its child's, so that the one that measures must
// stay small.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/trainyard/trainyard/internal/workload"
)

func main() {
	root := flag.String("root", "", "the repository")
	jobs := flag.Int("jobs", 1, "how many TrainJobs")
	others := flag.Int("others", 0, "how many other objects")
	documents := flag.Bool("documents", false, "a file of manifests")
	flag.Parse()
	if err := write(*root, *jobs, *others, *documents); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(root string, jobs, others int, documents bool) error {
	items, err := workload.Items(root, jobs, others)
	if err != nil {
		return err
	}
	text := workload.List(items)
	if documents {
		text = []byte(strings.Join(items, "---\n"))
	}
	if _, err := os.Stdout.Write(text); err != nil {
		return fmt.Errorf("write the input: %w", err)
	}
	return nil
}
