// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"bytes"
	"io"

	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

// Run is the function on the bytes of a ResourceList.
func Run(in []byte) (list []byte, out Output) {
	var written bytes.Buffer
	out, _ = Stream(in, &written) // a buffer takes everything
	return written.Bytes(), out
}

// Stream is the function on a ResourceList. The list comes back with the results
// of the run; with an error among the findings it is otherwise as it was. A text
// that is no ResourceList gives no list. Writing begins when all is rendered;
// the error is the writer's. The output holds no renderings.
func Stream(in []byte, w io.Writer) (Output, error) {
	input, err := resourcelist.Parse(in)
	if err != nil {
		return Output{
			Findings: []finding.Finding{finding.Errorf(finding.YAMLSyntax, "", "%v", err)},
			Summary:  "nothing rendered: the input can't be read",
		}, nil
	}
	out := transformList(input)
	return out, input.Write(w, out.Items, out.Results())
}

func transformList(input *resourcelist.List) Output {
	config, generator, findings := ReadConfig(input.FunctionConfig)
	if finding.Blocking(findings) {
		return Output{Items: input.Items, Findings: findings, Summary: "nothing rendered: the functionConfig is wrong"}
	}
	return Transform(Input{Items: input.Items, Generator: generator, Config: config, Findings: findings, Lean: true})
}
