// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package render joins a TrainJob to its runtime and lays one layer for each
// policy on top: the result is a JobSet.
//
// The steps, in this order, each a pure change of a policy.Job (steps.go):
//
//  1. what the TrainJob's metadata gives to the JobSet
//  2. the runtime's template
//  3. each of the TrainJob's runtimePatches
//  4. the number of pods, resourcesPerNode
//  5. the framework's policy, the initializers
//  6. the TrainJob's image, command, args, env
//  7. torchtune, coscheduling, volcano
//  8. what an applier that re-applies for ever needs (gitops.go)
//  9. the defaults that the API server and JobSet's webhook would fill in
//
// Later wins. Before the layers fit.go asks whether the TrainJob fits its
// runtime; after them package accept asks whether the cluster would take the
// result. Everything here is pure: no I/O, no clock, no randomness, and the
// inputs are never changed.
package render
