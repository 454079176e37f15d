// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/schemas"
)

// judge reads an item as it was written and holds it against its schema, before
// anything decodes it: what decoding would lose is found here. The object comes
// back clean.
func judge(item *resourcelist.Item) (object []byte, findings []finding.Finding) {
	root, err := item.Root()
	if err != nil {
		return nil, []finding.Finding{item.Broken()}
	}
	object, findings = manifest.JSON(root)
	if finding.Blocking(findings) {
		return nil, findings
	}
	object, shape := schemas.Admit(object, manifest.Written(root))
	findings = slices.DeleteFunc(findings, func(f finding.Finding) bool {
		return slices.ContainsFunc(shape, func(s finding.Finding) bool { return s.Field == f.Field })
	})
	return object, append(findings, shape...)
}

// decode turns a judged object into a value of the API's type.
func decode[T any](object []byte) (*T, error) {
	value := new(T)
	if err := json.Unmarshal(object, value); err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	return value, nil
}

// judged reads an item, judges it and decodes it. The value is nil if a finding
// is an error.
func judged[T any](item *resourcelist.Item) (*T, []finding.Finding) {
	object, findings := judge(item)
	if finding.Blocking(findings) {
		return nil, findings
	}
	value, err := decode[T](object)
	if err != nil {
		return nil, append(findings, finding.Errorf(finding.WrongType, "", "%v", err))
	}
	return value, findings
}
