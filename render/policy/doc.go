// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package policy says what a framework or a scheduler needs of a training job.
//
// A policy is a value: it reads a Job and returns a Layer, which is data. It
// never touches the job; Job.With lays the layer, and is the only place that
// writes. A policy knows only itself. "Plain" is what remains when no framework
// applies.
//
// To add one: a file with one Policy, and a word in policy.go.
package policy
