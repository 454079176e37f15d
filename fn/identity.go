// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
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

func refOf(object runtime.Object) finding.Ref {
	ref := finding.Ref{}
	ref.APIVersion, ref.Kind = object.GetObjectKind().GroupVersionKind().ToAPIVersionAndKind()
	if metadata, err := meta.Accessor(object); err == nil {
		ref.Namespace, ref.Name = metadata.GetNamespace(), metadata.GetName()
	}
	return ref
}
