// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trainyard/trainyard/render/finding"
)

// oldBooleans are the plain words that YAML 1.1 reads as booleans and YAML 1.2
// as strings; kubectl follows YAML 1.1, kustomize and kpt YAML 1.2.
var oldBooleans = []string{
	"y", "Y", "yes", "Yes", "YES", "on", "On", "ON",
	"n", "N", "no", "No", "NO", "off", "Off", "OFF",
}

// ambiguous warns of a string that YAML 1.1 takes for a boolean.
func (w *jsonWriter) ambiguous(node *yaml.Node, what string) {
	if len(node.Value) > 3 || node.Style != 0 || node.Tag != "!!str" || !slices.Contains(oldBooleans, node.Value) {
		return
	}
	f := finding.Warningf(finding.YAMLAmbiguous, w.path.String(),
		"%s %s is the string %q here, and a boolean for kubectl and every other reader of YAML 1.1; quote it", what, node.Value, node.Value)
	f.Position.Line = node.Line
	w.findings = append(w.findings, f)
}

// ambiguousKey warns of a key that kubectl reads as another one: as a value it is
// a number or a boolean, which kubectl writes as a key in its own way.
func (w *jsonWriter) ambiguousKey(key *yaml.Node) {
	w.ambiguous(key, "the key")
	other := keyOfKubectl(key)
	if other == key.Value {
		return
	}
	f := finding.Warningf(finding.YAMLAmbiguous, w.path.String(), "the key %s is the string %q here, and %q for kubectl; quote it", key.Value, key.Value, other)
	f.Position.Line = key.Line
	w.findings = append(w.findings, f)
}

func keyOfKubectl(key *yaml.Node) string {
	digits := strings.ReplaceAll(key.Value, "_", "")
	switch key.ShortTag() {
	case "!!int":
		if n, ok := new(big.Int).SetString(digits, 0); ok {
			return n.String()
		}
	case "!!float":
		if n, err := strconv.ParseFloat(digits, 64); err == nil {
			return strconv.FormatFloat(n, 'g', -1, 32)
		}
	case "!!bool":
		return strings.ToLower(key.Value)
	}
	return key.Value
}
