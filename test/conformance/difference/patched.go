// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package difference

import (
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/test/conformance/upstream"
)

// object is a piece of YAML.
type object = map[string]any

// patchesSources: what a patch gives a volume or a variable takes the place of
// what it had.
func patchesSources(g *Given) bool {
	layers, ok := layersOf(g)
	return ok && settleSources(layers)
}

// giveLastSources takes away what patches replace, from the runtime and from
// the patches before.
func giveLastSources(g *Given) {
	if layers, ok := layersOf(g); ok && settleSources(layers) {
		g.takeBack(layers)
	}
}

// layersOf are the runtime's template and each patch of it.
func layersOf(g *Given) (layers []object, ok bool) {
	if len(g.Job.Spec.RuntimePatches) == 0 {
		return nil, false
	}
	template := object{}
	if upstream.Convert(g.Runtime.Template.Spec, &template) != nil {
		return nil, false
	}
	layers = append(layers, template)
	for _, patch := range g.Job.Spec.RuntimePatches {
		layer := object{}
		if spec := patchedSpec(patch); spec != nil && upstream.Convert(spec, &layer) != nil {
			return nil, false
		}
		layers = append(layers, layer)
	}
	return layers, true
}

func settleSources(layers []object) bool {
	changed := false
	for i := range layers {
		for _, below := range layers[:i] {
			changed = giveWay(below, layers[i]) || changed
		}
	}
	return changed
}

func patchedSpec(patch trainer.RuntimePatch) *trainer.JobSetSpecPatch {
	if patch.TrainingRuntimeSpec == nil || patch.TrainingRuntimeSpec.Template == nil {
		return nil
	}
	return patch.TrainingRuntimeSpec.Template.Spec
}

// takeBack puts the layers where they came from.
func (g *Given) takeBack(layers []object) {
	var template jobset.JobSetSpec
	if upstream.Convert(layers[0], &template) != nil {
		return
	}
	g.Runtime.Template.Spec = template
	for i, patch := range g.Job.Spec.RuntimePatches {
		if patchedSpec(patch) == nil {
			continue
		}
		var cleaned trainer.JobSetSpecPatch
		if upstream.Convert(layers[i+1], &cleaned) == nil {
			g.Job.Spec.RuntimePatches[i].TrainingRuntimeSpec.Template.Spec = &cleaned
		}
	}
}

// giveWay takes from below what above replaces.
func giveWay(below, above object) bool {
	changed := false
	pairs(below, above, "replicatedJobs", func(below, above object) {
		below, above = podOf(below), podOf(above)
		pairs(below, above, "volumes", func(below, above object) { changed = onlyKeysOf(below, above) || changed })
		for _, list := range []string{"containers", "initContainers"} {
			pairs(below, above, list, func(below, above object) {
				pairs(below, above, "env", func(below, above object) {
					changed = onlyKeysOf(below, above) || changed
					source, _ := above["valueFrom"].(object)
					if was, ok := below["valueFrom"].(object); ok && len(source) > 0 {
						changed = onlyKeysOf(was, source) || changed
					}
				})
			})
		}
	})
	return changed
}

// pairs visits the items of one name in two objects' lists.
func pairs(below, above object, list string, visit func(below, above object)) {
	lower, _ := below[list].([]any)
	upper, _ := above[list].([]any)
	for _, a := range upper {
		for _, b := range lower {
			if over, under := a.(object), b.(object); over["name"] == under["name"] {
				visit(under, over)
			}
		}
	}
}

func podOf(job object) object {
	for _, field := range []string{"template", "spec", "template", "spec"} {
		job, _ = job[field].(object)
	}
	return job
}

// onlyKeysOf deletes what the patch does not have, if it has more than a name.
func onlyKeysOf(below, patch object) bool {
	keys := []string{}
	for key := range patch {
		keys = append(keys, key)
	}
	if len(keys) == 0 || len(keys) == 1 && keys[0] == "name" {
		return false
	}
	changed := false
	for key := range below {
		if !slices.Contains(keys, key) {
			delete(below, key)
			changed = true
		}
	}
	return changed
}
