// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package compare

import (
	"fmt"
	"reflect"
	"regexp"
)

// Unresolved lists the $(NAME) in a JobSet that stand before NAME in the same
// container: Kubernetes leaves those as they are.
func Unresolved(jobSet map[string]any) []string {
	var found []string
	Containers(jobSet, func(where string, container map[string]any) {
		defined := map[string]bool{}
		variables, _ := container["env"].([]any)
		names := names(variables)
		for i, variable := range variables {
			value, _ := variable.(map[string]any)["value"].(string)
			for _, name := range references(value) {
				if names[name] && !defined[name] {
					found = append(found, fmt.Sprintf("%s: $(%s)", where, name))
				}
			}
			defined[name(variables[i])] = true
		}
	})
	return found
}

// OrderDiffers tells whether a container's variables stand in another order.
func OrderDiffers(want, got map[string]any) bool {
	orders := func(jobSet map[string]any) (all [][]string) {
		Containers(jobSet, func(_ string, container map[string]any) {
			variables, _ := container["env"].([]any)
			var order []string
			for _, variable := range variables {
				order = append(order, name(variable))
			}
			all = append(all, order)
		})
		return all
	}
	return !reflect.DeepEqual(orders(want), orders(got))
}

// reference is $(NAME), or $$(NAME), which stands for itself.
var reference = regexp.MustCompile(`\$?\$\(([^)]*)\)`)

func references(value string) []string {
	var found []string
	for _, match := range reference.FindAllStringSubmatch(value, -1) {
		if match[0][1] != '$' {
			found = append(found, match[1])
		}
	}
	return found
}

func names(variables []any) map[string]bool {
	all := map[string]bool{}
	for _, variable := range variables {
		all[name(variable)] = true
	}
	return all
}

func name(item any) string {
	fields, _ := item.(map[string]any)
	named, _ := fields["name"].(string)
	return named
}

// Containers visits each container of a JobSet.
func Containers(jobSet map[string]any, visit func(where string, container map[string]any)) {
	spec, _ := jobSet["spec"].(map[string]any)
	jobs, _ := spec["replicatedJobs"].([]any)
	for _, job := range jobs {
		pod, _ := job.(map[string]any)
		for _, field := range []string{"template", "spec", "template", "spec"} {
			pod, _ = pod[field].(map[string]any)
		}
		for _, list := range []string{"initContainers", "containers"} {
			items, _ := pod[list].([]any)
			for _, item := range items {
				if container, ok := item.(map[string]any); ok {
					visit(fmt.Sprintf("%s %s", name(job), name(item)), container)
				}
			}
		}
	}
}
