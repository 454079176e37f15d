// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/fn"
	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
)

const podsLong = `Prints the Jobs that JobSet would make of what the paths render to, each with
the pods that it starts with, and the volume claims: for policy engines, which
judge pods and not JobSets. JobSets among the files are taken as they are.

Names end where the cluster would add random characters. What only a cluster
knows is left out: UIDs, defaults, what its admission adds.`

func newPods() *cobra.Command {
	flags := renderFlags{reads: true}
	var resolve bool
	cmd := &cobra.Command{
		Use:     "pods PATH...",
		Short:   "Print the Jobs and Pods that would come of it",
		Long:    podsLong,
		Example: "  render-trainjob pods jobs/ | conftest test -",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out, err := transform(cmd, flags, args)
			if err != nil {
				return err
			}
			items, err := podsOf(out, resolve)
			if err != nil {
				return err
			}
			return printItems(cmd.OutOrStdout(), items, flags.output.text)
		},
	}
	flags.add(cmd.Flags(), "yaml", "json")
	cmd.Flags().BoolVar(&resolve, "resolve-env", false, "give variables that refer to the pod's metadata their values, as in JOB_COMPLETION_INDEX")
	return cmd
}

// podsOf are the objects that the JobSets among what is put out would make.
func podsOf(out fn.Output, resolve bool) ([]*resourcelist.Item, error) {
	var items []*resourcelist.Item
	for _, item := range fn.ToApply(out.Items) {
		if item.Ref.Kind != "JobSet" {
			continue
		}
		object, err := fn.Decode(item)
		if err != nil {
			return nil, err
		}
		js, ok := object.(*jobset.JobSet)
		if !ok {
			continue
		}
		for _, object := range render.Pods(js) {
			if pod, ok := object.(*corev1.Pod); ok && resolve {
				object = render.Resolved(pod)
			}
			item, err := written(object)
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
	}
	return items, nil
}

func written(object runtime.Object) (*resourcelist.Item, error) {
	document, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", object, err)
	}
	ref := finding.Ref{}
	ref.APIVersion, ref.Kind = object.GetObjectKind().GroupVersionKind().ToAPIVersionAndKind()
	if o, ok := object.(metav1.Object); ok {
		ref.Namespace, ref.Name = o.GetNamespace(), o.GetName()
	}
	return resourcelist.New(ref, manifest.YAML(document)), nil
}
