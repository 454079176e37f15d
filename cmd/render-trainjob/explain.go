// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/trainyard/trainyard/fn"
	"github.com/trainyard/trainyard/internal/report"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

const explainLong = `Renders what the paths hold and says of each line who set it and where: a
field of the TrainJob, the runtime, a runtimePatch, a policy, a default; and
whom that overrode. What is printed reads as the same YAML.

--field prints of one field all values that it had, and who gave them. Three
dots stand for anything: 'spec.replicatedJobs[name=node]...resources'.`

func newExplain() *cobra.Command {
	var flags renderFlags
	var field string
	cmd := &cobra.Command{
		Use:     "explain PATH...",
		Short:   "Render, and say of each line who set it",
		Long:    explainLong,
		Example: "  render-trainjob explain jobs/\n  render-trainjob explain jobs/ --field ...image",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return explain(cmd, flags, field, args)
		},
	}
	flags.add(cmd.Flags(), "yaml", "json")
	cmd.Flags().StringVar(&field, "field", "", "print the history of this field and of what is below it")
	return cmd
}

func explain(cmd *cobra.Command, flags renderFlags, field string, paths []string) error {
	flags.config.Render.Explain = true
	out, err := transform(cmd, flags, paths)
	if err != nil {
		return err
	}
	objects := explained(out)
	if field != "" {
		if objects = report.Below(objects, field); len(objects) == 0 {
			return fmt.Errorf("no rendered field is called %s", field)
		}
	}
	w := cmd.OutOrStdout()
	switch {
	case flags.output.text == "json":
		return report.ExplainJSON(w, objects)
	case field != "":
		return report.History(w, objects, onTerminal(w))
	default:
		return report.Explain(w, objects, onTerminal(w))
	}
}

// explained joins what is put out with what is known of it.
func explained(out fn.Output) []report.Explained {
	renderings := map[finding.Ref]fn.Rendering{}
	for _, r := range out.Renderings {
		for _, item := range r.Items {
			renderings[item.Ref] = r
		}
	}
	var objects []report.Explained
	for _, item := range fn.ToApply(out.Items) {
		object := report.Explained{Text: item.Text()}
		if r, ok := renderings[item.Ref]; ok {
			object = explainedItem(r, item)
		}
		objects = append(objects, object)
	}
	return objects
}

func explainedItem(r fn.Rendering, item *resourcelist.Item) report.Explained {
	if r.Differs {
		return report.Explained{
			Text: item.Text(),
			Note: "as it was rendered before: the TrainJob did not change since; a new rendering would differ (--refresh " + item.Ref.Name + ")",
		}
	}
	object := report.Explained{Text: item.Text(), Place: r.Position, BuiltIn: r.BuiltIn()}
	for _, leaf := range r.Sources {
		if leaf.Object == item.Ref {
			object.Leaves = append(object.Leaves, leaf)
		}
	}
	return object
}
