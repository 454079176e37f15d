// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/resourcelist"
)

// The annotations by which kustomize and kpt track items. The second of each
// pair is the older name.
var (
	pathKeys  = []string{"internal.config.kubernetes.io/path", "config.kubernetes.io/path"}
	indexKeys = []string{"internal.config.kubernetes.io/index", "config.kubernetes.io/index"}
	idKeys    = []string{"internal.config.kubernetes.io/id", "config.k8s.io/id", "kustomize.config.k8s.io/id"}
)

// packagePath is where kpt names the package to which an item's path is
// relative.
const packagePath = "internal.config.kubernetes.io/package-path"

const hostPrefix = "internal.config.kubernetes.io/"

// renderedExt ends the name of a file of rendered objects.
const renderedExt = ".jobset.yaml"

// annotatedPath returns the file that the host names for an item.
func annotatedPath(item *resourcelist.Item) (file string, index int) {
	for i, key := range pathKeys {
		if file = item.Annotation(key); file != "" {
			index, _ = strconv.Atoi(item.Annotation(indexKeys[i])) // none: the first
			return file, index
		}
	}
	return "", 0
}

// pathAnnotations returns the annotations that tell an item's file.
func pathAnnotations(item *resourcelist.Item) map[string]string {
	found := map[string]string{}
	for _, key := range slices.Concat(pathKeys, indexKeys, []string{packagePath}) {
		if value := item.Annotation(key); value != "" {
			found[key] = value
		}
	}
	return found
}

// hostFile tells the files of all packages apart.
func hostFile(item *resourcelist.Item, file string) string {
	return item.Annotation(packagePath) + ":" + file
}

// hostAnnotations returns all annotations by which a host tracks an item: what
// is rendered into its place keeps them.
func hostAnnotations(item *resourcelist.Item) map[string]string {
	found := pathAnnotations(item)
	root, err := item.Root()
	if err != nil {
		return found
	}
	annotations := manifest.Field(manifest.Field(root, "metadata"), "annotations")
	for i := 0; annotations != nil && i+1 < len(annotations.Content); i += 2 {
		key := annotations.Content[i].Value
		if strings.HasPrefix(key, hostPrefix) || slices.Contains(idKeys, key) {
			found[key] = annotations.Content[i+1].Value
		}
	}
	return found
}

// beside returns the path annotations of what is rendered from an item: the
// same folder, the name with .jobset.yaml, and the given index.
func beside(source *resourcelist.Item, index int) map[string]string {
	found := map[string]string{}
	for i, key := range pathKeys {
		file := source.Annotation(key)
		if file == "" {
			continue
		}
		found[key] = renderedPath(file)
		found[indexKeys[i]] = strconv.Itoa(index)
	}
	if in := source.Annotation(packagePath); in != "" {
		found[packagePath] = in
	}
	return found
}

func renderedPath(file string) string {
	return strings.TrimSuffix(file, path.Ext(file)) + renderedExt
}
