// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io/fs"
	"os"
	"path"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// runtimesFolder holds the runtimes' manifests within the Trainer's module.
const runtimesFolder = "manifests/base/runtimes"

// buildRuntimes runs kustomize on the runtimes of one overlay of the module in
// dir. It works on a copy in memory, since the overlay's other resources would
// be fetched from the network.
func buildRuntimes(dir, overlay string) ([]*resource.Resource, error) {
	module, copied := os.DirFS(dir), filesys.MakeFsInMemory()
	if err := copyFolder(copied, module, runtimesFolder); err != nil {
		return nil, err
	}
	kustomization, err := onlyRuntimes(module, path.Join(overlay, "kustomization.yaml"))
	if err != nil {
		return nil, err
	}
	if err := copied.WriteFile(path.Join("/", overlay, "kustomization.yaml"), kustomization); err != nil {
		return nil, err
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(copied, path.Join("/", overlay))
	if err != nil {
		return nil, err
	}
	return built.Resources(), nil
}

// copyFolder copies a folder's files into the root of a file system in memory.
func copyFolder(to filesys.FileSystem, from fs.FS, folder string) error {
	return fs.WalkDir(from, folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		return to.WriteFile(path.Join("/", name), text)
	})
}

// onlyRuntimes returns a kustomization without what concerns no runtime.
func onlyRuntimes(module fs.FS, file string) ([]byte, error) {
	text, err := fs.ReadFile(module, file)
	if err != nil {
		return nil, err
	}
	var all types.Kustomization
	if err := all.Unmarshal(text); err != nil {
		return nil, err
	}
	kept := types.Kustomization{TypeMeta: all.TypeMeta, Images: all.Images, Labels: all.Labels}
	for _, r := range all.Resources {
		if strings.HasPrefix(path.Join(path.Dir(file), r), runtimesFolder) {
			kept.Resources = append(kept.Resources, r)
		}
	}
	return yaml.Marshal(kept)
}
