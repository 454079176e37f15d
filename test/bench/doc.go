// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Command bench measures render-trainjob beside its peers: the function SDK's
// and kyaml's identity functions, which only read and write the same list; the
// Trainer's own NewObjects, which only renders; and kubeconform, which only
// validates the JobSets that came of it.
//
// It builds all of them, runs them in turn on the same inputs, and prints the
// medians of CPU time, wall time and peak memory, and their ratios to the SDK's
// as a table in Markdown. Whole processes are measured, start included, by the
// operating system's own accounting. Nothing here passes or fails: see
// docs/benchmarks.md for how to read it.
package main
