// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

// Run is the function on the bytes of a ResourceList. The list comes back with
// the results of the run; with an error among the findings it is otherwise as
// it was. A text that is no ResourceList gives no list.
func Run(in []byte) (list []byte, out Output) {
	input, err := resourcelist.Parse(in)
	if err != nil {
		return nil, Output{
			Findings: []finding.Finding{finding.Errorf(finding.YAMLSyntax, "", "%v", err)},
			Summary:  "nothing rendered: the input can't be read",
		}
	}
	config, generator, findings := ReadConfig(input.FunctionConfig)
	if finding.Blocking(findings) {
		out = Output{Items: input.Items, Findings: findings, Summary: "nothing rendered: the functionConfig is wrong"}
	} else {
		out = Transform(Input{Items: input.Items, Generator: generator, Config: config, Findings: findings})
	}
	return input.Bytes(out.Items, out.Results()), out
}
