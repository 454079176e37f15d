// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"slices"
	"strings"

	"github.com/trainyard/trainyard/internal/resourcelist"
)

// ToApply returns the items that are meant for a cluster: not the configuration
// of tools, which stands among manifests and marks itself as local.
func ToApply(items []*resourcelist.Item) []*resourcelist.Item {
	return slices.DeleteFunc(slices.Clone(items), func(item *resourcelist.Item) bool {
		return item.Annotation(localConfig) == "true" || item.Ref.Kind == ConfigKind ||
			strings.HasPrefix(item.Ref.APIVersion, "kustomize.config.k8s.io/") || item.Ref.Kind == "Kptfile"
	})
}
