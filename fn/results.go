// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"encoding/json"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/render/finding"
)

// Results writes the summary and the findings as the results of a
// ResourceList: YAML, a list from column 0.
func (o Output) Results() []byte {
	document, err := json.Marshal(o.results())
	if err != nil { // strings and numbers always encode
		return nil
	}
	return manifest.YAML(document)
}

// results are the summary, then the findings, worst first.
func (o Output) results() sdk.Results {
	severity := finding.Info
	if finding.Blocking(o.Findings) {
		severity = finding.Error
	}
	results := sdk.Results{{Message: o.Summary, Severity: sdk.Severity(severity)}}
	for _, f := range o.Findings {
		results = append(results, result(f))
	}
	return results
}

// result writes a finding as a KRM function's result. The message names the
// file too, since kpt does not show where a result stands.
func result(f finding.Finding) *sdk.Result {
	r := &sdk.Result{
		Message:  f.Message,
		Severity: sdk.Severity(f.Severity),
		Tags:     map[string]string{"rule": string(f.Rule)},
	}
	if f.Object != (finding.Ref{}) {
		r.ResourceRef = &sdk.ResourceRef{APIVersion: f.Object.APIVersion, Kind: f.Object.Kind, Name: f.Object.Name, Namespace: f.Object.Namespace}
	}
	if f.Field != "" {
		r.Field = &sdk.Field{Path: f.Field}
	}
	if f.Position.File != "" {
		r.File = &sdk.File{Path: f.Position.File, Index: f.Position.Index}
		r.Message = f.Position.File + ": " + strings.TrimSpace(r.Message)
	}
	return r
}
