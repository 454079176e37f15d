// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"bytes"
	"encoding/json"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/schemas"
)

// encoded is a rendered object as JSON: written once, to be judged, compared
// and put out.
type encoded struct {
	ref  finding.Ref
	json []byte
}

// encode writes rendered objects, and holds them against the schemas.
func encode(objects []runtime.Object) ([]encoded, []finding.Finding) {
	var all []encoded
	var findings []finding.Finding
	for _, object := range objects {
		text, err := json.Marshal(object)
		if err != nil {
			findings = append(findings, finding.Errorf(finding.Internal, "", "encode %T: %v", object, err))
			continue
		}
		all = append(all, encoded{finding.RefTo(object), text})
		findings = append(findings, schemas.Validate(text)...)
	}
	return all, findings
}

// item is the object as it is put out, with the annotations of its host.
func (e encoded) item(host map[string]string) *resourcelist.Item {
	return resourcelist.New(e.ref, manifest.Annotated(e.json, host))
}

// sameAs reports whether an item holds what the object would be written as.
func (e encoded) sameAs(item *resourcelist.Item) bool {
	written := e.item(hostAnnotations(item))
	return bytes.Equal(written.Text(), item.Text()) || reflect.DeepEqual(values(written), values(item))
}

func values(item *resourcelist.Item) map[string]any {
	var object map[string]any
	if root, err := item.Root(); err == nil {
		document, _ := manifest.JSON(root)
		_ = json.Unmarshal(document, &object) // JSON is valid, whatever it found
	}
	return object
}
