// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/trainyard/trainyard/render"
)

// Config is what a functionConfig says. The zero value is the default of each.
type Config struct {
	Mode            Mode
	Sources         Sources
	BuiltinRuntimes bool     // runtimes that the package lacks may be the Trainer's own
	Refresh         []string // render these anew although their TrainJobs did not change; RefreshAll: every one
	Strict          bool     // warnings are errors
	WarnUnknown     bool     // fields of runtimes that the API does not have are warnings
	Render          render.Options
}

// RefreshAll stands for every TrainJob.
const RefreshAll = "All"

// Mode says what is done with the package.
type Mode string

// Render it; report on it; report, and fail where a rendering is missing or old.
const (
	ModeRender   Mode = ""
	ModeValidate Mode = "Validate"
	ModeCheck    Mode = "Check"
)

// Sources says what becomes of TrainJobs and runtimes.
type Sources string

// SourcesAuto keeps those that have a file and drops the others. SourcesKeep
// leaves them in the list, marked so that nobody applies them. SourcesApply
// leaves TrainJobs as they are, to be applied beside their JobSets.
const (
	SourcesAuto  Sources = ""
	SourcesKeep  Sources = "Keep"
	SourcesDrop  Sources = "Drop"
	SourcesApply Sources = "Apply"
)

// Key is an option of the functionConfig, and a flag of the command line.
type Key struct {
	Name   string
	Values []string // what it takes, the default first; nil: free text
	Usage  string
	set    func(c *Config, value string)
}

// Bool reports whether the key is a switch.
func (k Key) Bool() bool { return slices.Equal(k.Values, booleans) }

var booleans = []string{"false", "true"}

// Keys returns all keys, in the order in which the documentation has them.
func Keys() []Key {
	return []Key{
		{"mode", []string{"Render", "Validate", "Check"}, "render, report only, or fail where a rendering is missing or old",
			func(c *Config, v string) { c.Mode = Mode(orZero(v, "Render")) }},
		{"sources", []string{"Auto", "Keep", "Drop", "Apply"}, "what becomes of TrainJobs and runtimes in the list",
			func(c *Config, v string) { c.Sources = Sources(orZero(v, "Auto")) }},
		{"builtinRuntimes", booleans, "use the Trainer's own runtimes where the package has none of the name",
			func(c *Config, v string) { c.BuiltinRuntimes = v == "true" }},
		{"kueue", []string{"Auto", "Always", "Never"}, "which JobSets are queued: those with a queue name, all, or none",
			func(c *Config, v string) { c.Render.Kueue = render.Kueue(orZero(v, "Auto")) }},
		{"refresh", nil, "names of TrainJobs, or All: render them anew although they did not change",
			func(c *Config, v string) { c.Refresh = strings.FieldsFunc(v, separates) }},
		{"strict", booleans, "warnings are errors",
			func(c *Config, v string) { c.Strict = v == "true" }},
		{"unknownFields", []string{"Error", "Warn"}, "what a field of a runtime is that the API does not have",
			func(c *Config, v string) { c.WarnUnknown = v == "Warn" }},
		{"nameSuffix", []string{"None", "ContentHash"}, "what follows the TrainJob's name in the JobSet's",
			func(c *Config, v string) { c.Render.NameSuffix = render.NameSuffix(orZero(v, "None")) }},
		{"ttl", []string{"Strip", "Keep"}, "what becomes of ttlSecondsAfterFinished",
			func(c *Config, v string) { c.Render.TTL = render.TTL(orZero(v, "Strip")) }},
		{"sshAuthSecret", nil, "an existing Secret for MPI instead of the one that the mirror makes",
			func(c *Config, v string) { c.Render.SSHAuthSecret = v }},
		{"mirror", []string{"None", "Create"}, "put the TrainJob's spec on the JobSet, for the mirror",
			func(c *Config, v string) { c.Render.Mirror = render.Mirror(orZero(v, "None")) }},
		{"profile", []string{"All", "ArgoCD", "Flux", "None"}, "the appliers for which annotations are added",
			func(c *Config, v string) { c.Render.Profile = render.Profile(orZero(v, "All")) }},
	}
}

// orZero returns the empty string for the default, which is the zero value of
// every option.
func orZero(value, byDefault string) string {
	if value == byDefault {
		return ""
	}
	return value
}

func separates(r rune) bool { return r == ',' || r == ' ' || r == '\n' }

// Set sets the option of a key.
func (c *Config) Set(key Key, value string) error {
	if key.Values != nil && !slices.Contains(key.Values, value) {
		return fmt.Errorf("%s must be one of %s; it is %s", key.Name, strings.Join(key.Values, ", "), strconv.Quote(value))
	}
	key.set(c, value)
	if name := c.Render.SSHAuthSecret; name != "" && len(validation.IsDNS1123Subdomain(name)) > 0 {
		return fmt.Errorf("%s must be the name of a Secret; it is %s", key.Name, strconv.Quote(name))
	}
	return nil
}

// refreshes reports whether a TrainJob is to be rendered anew.
func (c Config) refreshes(namespace, name string) bool {
	return slices.Contains(c.Refresh, RefreshAll) || slices.Contains(c.Refresh, name) ||
		slices.Contains(c.Refresh, namespace+"/"+name)
}
