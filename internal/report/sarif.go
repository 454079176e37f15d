// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"io"

	"github.com/trainyard/trainyard/render/finding"
)

// The part of SARIF 2.1.0 that a list of findings needs.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID string `json:"id"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		PhysicalLocation *sarifPhysical `json:"physicalLocation,omitempty"`
		LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifLogical struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
	}
)

// SARIF writes the findings as a SARIF 2.1.0 log with one run.
func SARIF(w io.Writer, findings []finding.Finding) error {
	levels := map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning", finding.Info: "note"}
	run := sarifRun{
		Tool:    sarifTool{sarifDriver{Name: "render-trainjob", InformationURI: "https://github.com/trainyard/trainyard", Rules: []sarifRule{}}},
		Results: []sarifResult{},
	}
	known := map[finding.Rule]bool{}
	for _, f := range findings {
		if !known[f.Rule] {
			known[f.Rule] = true
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{string(f.Rule)})
		}
		run.Results = append(run.Results, sarifResult{
			RuleID: string(f.Rule), Level: levels[f.Severity], Message: sarifMessage{f.Message}, Locations: locations(f),
		})
	}
	return indented(w, sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

func locations(f finding.Finding) []sarifLocation {
	var at sarifLocation
	if f.Position.File != "" {
		at.PhysicalLocation = &sarifPhysical{ArtifactLocation: sarifArtifact{f.Position.File}}
		if f.Position.Line > 0 {
			at.PhysicalLocation.Region = &sarifRegion{f.Position.Line}
		}
	}
	if f.Object.Name != "" {
		name := f.Object.Kind + " " + object(f.Object)
		if f.Field != "" {
			name += " " + f.Field
		}
		at.LogicalLocations = []sarifLogical{{name}}
	}
	if at.PhysicalLocation == nil && at.LogicalLocations == nil {
		return nil
	}
	return []sarifLocation{at}
}
