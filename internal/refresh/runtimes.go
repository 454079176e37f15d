// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "fmt"

// The overlays of the Trainer's release that name the runtimes and set their
// image tags.
var runtimeOverlays = []string{
	"manifests/overlays/runtimes",
	"manifests/overlays/data-cache",
}

// runtimeFiles builds the Trainer's own runtimes: file name to content.
func runtimeFiles(trainer module) (map[string][]byte, error) {
	files := map[string][]byte{"RELEASE": []byte(trainer.Version + "\n")}
	for _, overlay := range runtimeOverlays {
		built, err := buildRuntimes(trainer.Dir, overlay)
		if err != nil {
			return nil, fmt.Errorf("build %s: %w", overlay, err)
		}
		for _, r := range built {
			text, err := tidyYAML(r.Document())
			if err != nil {
				return nil, fmt.Errorf("write runtime %s: %w", r.GetName(), err)
			}
			files[r.GetName()+".yaml"] = trainer.commented(text)
		}
	}
	return files, nil
}
