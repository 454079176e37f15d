// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/trainyard/trainyard/internal/report"
	"github.com/trainyard/trainyard/internal/vendoring"
	"github.com/trainyard/trainyard/render/finding"
)

const vendorLong = `Writes runtimes that a cluster or a chart has as files for git, one each: without
status, without the marks of servers and installers, without defaults. FOLDER is
"runtimes" if it is not said. A runtime that is in the folder already is replaced
in its file.

--from is what "kubectl get clustertrainingruntimes,trainingruntimes -A -o yaml",
"helm template" or "kustomize build" prints: a file, a folder, or - for stdin.

With --check nothing is written: the exit code is 1 if a runtime of the folder
differs from the one there, or is gone.`

// vendor are the flags of the command.
type vendor struct {
	from  string
	check bool
}

func newVendor() *cobra.Command {
	var v vendor
	cmd := &cobra.Command{
		Use:     "vendor --from PATH [FOLDER]",
		Short:   "Write runtimes of a cluster or a chart as files for git",
		Long:    vendorLong,
		Example: "  kubectl get clustertrainingruntimes -o yaml | render-trainjob vendor --from - runtimes/\n  helm template trainer | render-trainjob vendor --from - runtimes/ --check",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder := "runtimes"
			if len(args) > 0 {
				folder = args[0]
			}
			return v.run(cmd, folder)
		},
	}
	cmd.Flags().StringVar(&v.from, "from", "", "where the runtimes are: a file, a folder, or - for stdin")
	cmd.Flags().BoolVar(&v.check, "check", false, "write nothing; fail where the folder differs")
	_ = cmd.MarkFlagRequired("from") // it is there
	return cmd
}

// run compares, then writes or judges.
func (v vendor) run(cmd *cobra.Command, folder string) error {
	there, findings, err := v.read(cmd, v.from)
	if err != nil {
		return err
	}
	var here []vendoring.Runtime
	if _, missing := os.Stat(folder); !errors.Is(missing, fs.ErrNotExist) {
		var problems []finding.Finding
		if here, problems, err = v.read(cmd, folder); err != nil {
			return err
		}
		findings = append(findings, problems...)
	}
	if err := report.Text(cmd.ErrOrStderr(), findings, false); err != nil {
		return err
	}
	switch {
	case finding.Blocking(findings):
		return errFindings
	case len(there) == 0:
		return fmt.Errorf("there is no runtime in %s", v.from)
	}
	all := vendoring.Compare(there, here)
	if v.check {
		return v.judge(cmd, all)
	}
	return v.write(cmd, folder, all)
}

func (v vendor) read(cmd *cobra.Command, path string) ([]vendoring.Runtime, []finding.Finding, error) {
	items, problems, err := readPaths(cmd.InOrStdin(), []string{path})
	if err != nil {
		return nil, nil, err
	}
	runtimes, findings := vendoring.Read(items)
	return runtimes, append(problems, findings...), nil
}

// judge prints every runtime, and fails where git is behind. One that is not in
// git is nobody's fault: who wants it will vendor it.
func (v vendor) judge(cmd *cobra.Command, all []vendoring.Comparison) error {
	behind := false
	for _, c := range all {
		behind = behind || c.Status == vendoring.Differs || c.Status == vendoring.Gone
	}
	if err := report.Vendored(cmd.OutOrStdout(), all); err != nil {
		return err
	}
	if behind {
		return errFindings
	}
	return nil
}

// write writes what is new or differs. All files are known to be free before
// the first is written.
func (v vendor) write(cmd *cobra.Command, folder string, all []vendoring.Comparison) error {
	for i := range all {
		if err := place(folder, &all[i]); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("vendor runtimes: %w", err)
	}
	for _, c := range all {
		if c.Status != vendoring.New && c.Status != vendoring.Differs {
			continue
		}
		if err := os.WriteFile(c.Here.File, c.There.Text, 0o644); err != nil {
			return fmt.Errorf("vendor runtimes: %w", err)
		}
	}
	return report.Vendored(cmd.OutOrStdout(), all)
}

// place says where a runtime goes: into the file that it has, if it is alone
// there, or into one of its name.
func place(folder string, c *vendoring.Comparison) error {
	switch c.Status {
	case vendoring.Differs:
		items, _, err := readPaths(nil, []string{c.Here.File})
		if err == nil && len(items) > 1 {
			err = fmt.Errorf("%s %s stands in %s beside other objects; give it a file of its own", c.Ref.Kind, c.Ref.Name, c.Here.File)
		}
		return err
	case vendoring.New:
		name := c.Ref.Name + ".yaml"
		if c.Ref.Namespace != "" {
			name = c.Ref.Namespace + "." + name
		}
		c.Here.File = filepath.Join(folder, name)
		if _, err := os.Stat(c.Here.File); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there already and holds something else than %s %s", c.Here.File, c.Ref.Kind, c.Ref.Name)
		}
	}
	return nil
}
