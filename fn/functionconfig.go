// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/nearest"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/schemas"
)

// ConfigKind is the kind of the functionConfig; a ConfigMap serves as well.
const ConfigKind = "RenderTrainJob"

const configVersion = "trainyard.dev/v1alpha1"

// ReadConfig reads a functionConfig: a RenderTrainJob, a ConfigMap, a TrainJob
// (then job is that TrainJob) or none at all.
func ReadConfig(item *resourcelist.Item) (config Config, job *resourcelist.Item, findings []finding.Finding) {
	switch {
	case item == nil:
		return Config{}, nil, nil
	case isTrainJob(item):
		return Config{BuiltinRuntimes: true}, item, nil // a generator sees no runtimes
	}
	root, err := item.Root()
	if err != nil {
		return Config{}, nil, []finding.Finding{finding.Errorf(finding.YAMLSyntax, "", "the functionConfig: %v", err)}
	}
	object, findings := manifest.JSON(root)
	findings = slices.DeleteFunc(findings, func(f finding.Finding) bool { return f.Severity != finding.Error })
	if len(findings) == 0 {
		config, findings = decodeConfig(item, object, manifest.Written(root))
	}
	return config, nil, finding.About(item.Ref, findings)
}

// decodeConfig reads the options from the JSON of a functionConfig.
func decodeConfig(item *resourcelist.Item, object []byte, written schemas.Written) (Config, []finding.Finding) {
	switch ref := item.Ref; {
	case ref.Kind == ConfigKind && ref.APIVersion == configVersion:
		return decodeRenderTrainJob(object, written)
	case ref.Kind == "ConfigMap" && ref.APIVersion == "v1":
		return decodeConfigMap(object, written)
	default:
		return noConfig("kind", "a functionConfig is a %s of %s, a ConfigMap or a TrainJob; this one has kind %q and apiVersion %q",
			ConfigKind, configVersion, ref.Kind, ref.APIVersion)
	}
}

func decodeRenderTrainJob(object []byte, written schemas.Written) (Config, []finding.Finding) {
	if _, findings := schemas.Admit(object, written); finding.Blocking(findings) {
		return Config{}, findings
	}
	var config struct {
		Spec map[string]*option `json:"spec"`
	}
	if err := json.Unmarshal(object, &config); err != nil {
		return noConfig("spec", "must be a mapping of options to values")
	}
	return readOptions("spec.", config.Spec, written)
}

func decodeConfigMap(object []byte, written schemas.Written) (Config, []finding.Finding) {
	var config struct {
		Spec       map[string]*option         `json:"spec"`
		Data       map[string]*option         `json:"data"`
		BinaryData map[string]json.RawMessage `json:"binaryData"`
	}
	switch err := json.Unmarshal(object, &config); {
	case err != nil:
		return noConfig("data", "must be a mapping of options to values")
	case config.Spec != nil:
		return noConfig("spec", "a ConfigMap has no spec; write the options in data")
	case config.BinaryData != nil:
		return noConfig("binaryData", "is not read; write the options in data")
	}
	return readOptions("data.", config.Data, written)
}

func noConfig(field, format string, args ...any) (Config, []finding.Finding) {
	return Config{}, []finding.Finding{finding.Errorf(finding.FunctionConfig, field, format, args...)}
}

// readOptions sets every option, in the order of the keys.
func readOptions(at string, options map[string]*option, written schemas.Written) (Config, []finding.Finding) {
	var config Config
	var findings []finding.Finding
	for _, key := range Keys() {
		if options[key.Name] == nil {
			continue
		}
		value := string(*options[key.Name])
		if text := written(at + key.Name); text != "" && !key.Bool() {
			value = text // a name may look like a number, of which JSON has one form only
		}
		if err := config.Set(key, value); err != nil {
			findings = append(findings, finding.Errorf(finding.FunctionConfig, at+key.Name, "%v", err))
		}
	}
	return config, append(findings, unknownOptions(at, options)...)
}

func unknownOptions(at string, options map[string]*option) []finding.Finding {
	var known []string
	for _, key := range Keys() {
		known = append(known, key.Name)
	}
	var findings []finding.Finding
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if slices.Contains(known, name) {
			continue
		}
		hint := "the options are " + strings.Join(known, ", ")
		if near := nearest.Name(name, known); near != "" {
			hint = "did you mean " + near + "?"
		}
		findings = append(findings, finding.Errorf(finding.FunctionConfig, at+name, "there is no option %s; %s", name, hint))
	}
	return findings
}

// option is the value of an option: a string, a boolean, or a list of strings,
// which are joined by commas.
type option string

// UnmarshalJSON reads each of the forms.
func (o *option) UnmarshalJSON(in []byte) error {
	var words []string
	if json.Unmarshal(in, &words) == nil {
		*o = option(strings.Join(words, ","))
		return nil
	}
	var word string
	if json.Unmarshal(in, &word) == nil {
		*o = option(word)
		return nil
	}
	*o = option(in)
	return nil
}
