// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trainyard/trainyard/internal/lazyregexp"
	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

// An overlay that renames a JobSet after it was rendered changes its name and
// not the names inside: its pods look for hosts that do not exist, and the job
// hangs. Inside are host names (<name>-<job>-0-0), gang marks, and the names of
// its hostfile and its SSH Secret.

// hostName matches the host name of a pod with the subdomain behind it.
var hostName = lazyregexp.New(`\b([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)-[0-9]+-[0-9]+\.[a-z0-9]`)

// ownNames are the fields that hold the JobSet's own name, and what follows it.
var ownNames = map[string]string{
	"metadata.labels[" + marks.CoschedGroup + "]":      "",
	"metadata.annotations[" + marks.VolcanoGroup + "]": "",
	"configMap.name":    marks.HostfileSuffix,
	"secret.secretName": marks.SSHAuthSecretSuffix,
}

// contentHash ends the name of a JobSet under nameSuffix: ContentHash.
var contentHash = lazyregexp.New(`^-[0-9a-f]{8}$`)

// staleNames finds the names inside a rendered JobSet that are another job's.
// One that still has the name of its TrainJob was not renamed: what it says of
// other jobs its author wrote.
func staleNames(item *resourcelist.Item) []finding.Finding {
	suffix, found := strings.CutPrefix(item.Ref.Name, item.Label(marks.TrainJob))
	if !isJobSet(item) || found && (suffix == "" || contentHash().MatchString(suffix)) {
		return nil
	}
	s := &staleScan{name: item.Ref.Name}
	object := values(item)
	spec, _ := object["spec"].(map[string]any)
	jobs, _ := spec["replicatedJobs"].([]any)
	for _, job := range jobs {
		if job, ok := job.(map[string]any); ok {
			s.jobs = append(s.jobs, fmt.Sprint(job["name"]))
		}
	}
	s.walk("spec", spec)
	return s.findings
}

type staleScan struct {
	name     string
	jobs     []string // replicated jobs
	findings []finding.Finding
}

func (s *staleScan) walk(path string, node any) {
	switch node := node.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(node)) {
			step := "." + key
			if strings.ContainsAny(key, "./") {
				step = "[" + key + "]"
			}
			s.walk(path+step, node[key])
		}
	case []any:
		for i, item := range node {
			s.walk(fmt.Sprintf("%s[%d]", path, i), item)
		}
	case string:
		s.text(path, node)
	}
}

func (s *staleScan) text(path, value string) {
	for field, suffix := range ownNames {
		base, found := strings.CutSuffix(value, suffix)
		if found && strings.HasSuffix(path, "."+field) && base != s.name {
			s.add(path, value, s.name+suffix)
			return
		}
	}
	for _, match := range hostName().FindAllStringSubmatch(value, -1) {
		for _, job := range s.jobs {
			if base, found := strings.CutSuffix(match[1], "-"+job); found && base != s.name {
				s.add(path, match[1], s.name+"-"+job)
				return
			}
		}
	}
}

func (s *staleScan) add(path, is, want string) {
	s.findings = append(s.findings, finding.Errorf(finding.StaleAddress, path,
		"%q is a name of another job than %s (there it would be %q): the JobSet was renamed after it was rendered; let render-trainjob run after the rename, as the last transformer of the outermost kustomization", is, s.name, want))
}
