// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "testing"

func TestSummary(t *testing.T) { runCases(t, "../../testdata/summary") }
