// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"sigs.k8s.io/yaml"
)

// Hold are annotations of a pod that runs for ever.
var Hold = map[string]string{
	"pod-complete.stage.kwok.x-k8s.io/delay":        "24h",
	"pod-complete.stage.kwok.x-k8s.io/jitter-delay": "24h",
}

// Fail are labels of a pod whose containers exit with 1.
var Fail = map[string]string{"pod-container-running-failed.stage.kwok.x-k8s.io": "true"}

// stageFiles are KWOK's own descriptions of what nodes, pods and volumes do.
var stageFiles = []string{
	"node/fast/node-initialize.yaml",
	"node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
	"pod/fast/pod-ready.yaml",
	"pod/general/pod-complete.yaml",
	"pod/chaos/pod-container-running-failed.yaml",
	"pod/fast/pod-delete.yaml",
	"volume/fast/pvc-provision.yaml",
	"volume/fast/pv-bind.yaml",
	"volume/fast/pv-delete.yaml",
	"volume/fast/pvc-delete.yaml",
}

// stages writes them to one file.
func (p *Plane) stages(ctx context.Context) (string, error) {
	var all bytes.Buffer
	for _, name := range stageFiles {
		stages, err := p.tools.file(ctx, "sigs.k8s.io/kwok", "kustomize/stage/"+name)
		if err != nil {
			return "", err
		}
		for _, stage := range stages {
			text, err := yaml.Marshal(stage.Object)
			if err != nil {
				return "", err
			}
			all.WriteString("---\n" + string(text))
		}
	}
	file := filepath.Join(p.Dir, "stages.yaml")
	return file, os.WriteFile(file, all.Bytes(), 0o600)
}
