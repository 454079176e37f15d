// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package schemas judges whether an object is well formed.
//
// The JSON Schemas lie here as files. Those of TrainJob, the runtimes, JobSet
// and the PodGroups are generated from the CRDs of the releases that go.mod
// names, and closed: a field that they do not name is an error, not lost. The
// one of RenderTrainJob, the functionConfig, is written by hand.
//
// Validate cleans an object of what a server adds, holds it against its
// schema, the CRDs' own rules and the rules of Kubernetes for names, labels,
// quantities and lists with keys, and tells the forms of older releases from
// plain mistakes. It reads only the definitions that an object uses, and each of
// them once.
package schemas
