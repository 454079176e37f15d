// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package report writes what is known for people and for other programs.
//
// Findings: aligned lines, coloured on a terminal; JSON; SARIF; and the commands
// by which GitHub Actions put a finding beside its line in a pull request.
//
// Explain: rendered objects with a comment on each line that says who set it;
// History: all values that one field had. Summarize and ByRuntime: what runs ask
// for, and who uses which runtime. Compare: what becomes of runs from one
// rendering to the next. Each for a terminal, as markdown, and as JSON.
//
// Nothing here renders: what is reported on comes from the caller.
package report
