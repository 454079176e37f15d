// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/trainyard/trainyard/test/conformance/upstream"
)

var emptyIsNil = cmpopts.EquateEmpty()

func newJudge(t testing.TB) *upstream.Trainer {
	t.Helper()
	judge, err := upstream.New(t.Context(), "../../runtimes")
	if err != nil {
		t.Fatal(err)
	}
	return judge
}
