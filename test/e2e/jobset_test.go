// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"testing"

	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// TestControlPlane shows that the plane itself works: a JobSet's pods run and
// end, and a failing pod fails its JobSet.
func TestControlPlane(t *testing.T) {
	for name, want := range map[string]jobset.JobSetConditionType{
		"completes": jobset.JobSetCompleted,
		"fails":     jobset.JobSetFailed,
	} {
		t.Run(name, func(t *testing.T) {
			space := namespace(t)
			object := in(space, read(t, "testdata/plane/"+name+".yaml"))
			apply(t, argoServerSide, object...)
			reaches(t, space, name, want)
		})
	}
}
