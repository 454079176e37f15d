// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package report writes findings for people and for other programs: aligned
// lines, coloured on a terminal; JSON; SARIF; and the commands by which GitHub
// Actions put a finding beside its line in a pull request.
package report
