// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package examples holds no code: its tests run the first command of each
// example's README and compare what comes out with the files beside it.
package examples
