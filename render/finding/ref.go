// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package finding

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
)

// Ref names an object.
type Ref struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
}

// RefTo names an object by what it says of itself; of a typed one TypeMeta must
// be filled in.
func RefTo(object runtime.Object) Ref {
	ref := Ref{}
	ref.APIVersion, ref.Kind = object.GetObjectKind().GroupVersionKind().ToAPIVersionAndKind()
	if metadata, err := meta.Accessor(object); err == nil {
		ref.Namespace, ref.Name = metadata.GetNamespace(), metadata.GetName()
	}
	return ref
}
