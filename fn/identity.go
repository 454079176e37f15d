// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/trainyard/trainyard/render/finding"
)

// id tells objects apart as Kubernetes does; versions of one kind are the same.
type id struct{ group, kind, namespace, name string }

func idOf(ref finding.Ref) id {
	gv, err := schema.ParseGroupVersion(ref.APIVersion)
	if err != nil {
		gv.Group = ref.APIVersion
	}
	return id{gv.Group, ref.Kind, ref.Namespace, ref.Name}
}
