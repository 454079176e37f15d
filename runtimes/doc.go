// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package runtimes finds the runtime that a TrainJob names.
//
// A Catalog holds the runtimes of a package and, if asked to, those that the
// Trainer's release ships. The latter lie here as files, one a runtime; they
// are generated from the Trainer's module and never edited. Within one kind
// and namespace, a runtime of the package wins over a built-in one.
package runtimes
