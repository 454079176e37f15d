// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Command refresh rebuilds the files that come from other projects: the
// built-in runtimes, the schemas and the CRDs of the tests' API server. It
// reads them from the modules at the versions that go.mod names, which is the
// only place that names a version. Run it from the root of the repository:
//
//	go run ./internal/refresh
package main
