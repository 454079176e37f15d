// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/schemas"
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

func identify(object runtime.Object) id { return idOf(refOf(object)) }

// encode writes a rendered object as an item, with the annotations of its host.
func encode(object runtime.Object, host map[string]string) (*resourcelist.Item, error) {
	object = object.DeepCopyObject()
	metadata, err := meta.Accessor(object)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", object, err)
	}
	metadata.SetAnnotations(merged(metadata.GetAnnotations(), host))
	document, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", metadata.GetName(), err)
	}
	return resourcelist.New(refOf(object), manifest.YAML(document)), nil
}

// sameObject reports whether an item holds what the object would be written as.
func sameObject(item *resourcelist.Item, object runtime.Object) bool {
	encoded, err := encode(object, hostAnnotations(item))
	if err != nil {
		return false
	}
	return bytes.Equal(encoded.Text(), item.Text()) || reflect.DeepEqual(values(encoded), values(item))
}

func values(item *resourcelist.Item) map[string]any {
	var object map[string]any
	if root, err := item.Root(); err == nil {
		document, _ := manifest.JSON(root)
		_ = json.Unmarshal(document, &object) // JSON is valid, whatever it found
	}
	return object
}

// judgeObjects holds what was rendered against the schemas.
func judgeObjects(objects []runtime.Object) []finding.Finding {
	var findings []finding.Finding
	for _, object := range objects {
		document, err := json.Marshal(object)
		if err != nil {
			findings = append(findings, finding.Errorf(finding.Internal, "", "encode %T: %v", object, err))
			continue
		}
		findings = append(findings, schemas.Validate(document)...)
	}
	return findings
}
