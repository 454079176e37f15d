// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each program runs over each input")
	most := flag.Int("most", 10_000, "the most TrainJobs in an input")
	flag.Parse()
	if err := bench(*rounds, *most); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func bench(rounds, most int) error {
	root, err := filepath.Abs("../..")
	if err != nil {
		return fmt.Errorf("find the repository: %w", err)
	}
	folder, err := os.MkdirTemp("", "trainyard-bench-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }() // what is left is in a folder for that
	programs, err := build(root, folder)
	if err != nil {
		return err
	}
	fmt.Printf("%s, %d processors, median of %d rounds\n\n", runtime.Version(), runtime.NumCPU(), rounds)
	fmt.Println("| input | program | CPU | wall | peak memory | CPU ratio | wall ratio | memory ratio |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, size := range []struct{ jobs, others int }{{1, 0}, {100, 0}, {1_000, 0}, {10_000, 0}, {1, 10_000}} {
		if size.jobs > most || size.others > most {
			continue
		}
		in, err := newInput(root, folder, size.jobs, size.others)
		if err != nil {
			return err
		}
		able := programs
		if size.others > 0 { // nobody validates or renders those
			able = programs[:others]
		}
		costs, err := medians(able, in, rounds)
		if err != nil {
			return err
		}
		for i, p := range able {
			report(in, p, costs[i], costs[0])
		}
	}
	return nil
}

// report prints a row; the ratios are to the first program, the SDK's identity.
func report(in input, p program, c, identity cost) {
	fmt.Printf("| %s | %s | %s | %s | %d MB | %.2f | %.2f | %.2f |\n", in.name, p.name,
		c.cpu.Round(time.Millisecond), c.wall.Round(time.Millisecond), c.peak>>20,
		float64(c.cpu)/float64(identity.cpu), float64(c.wall)/float64(identity.wall), float64(c.peak)/float64(identity.peak))
}
