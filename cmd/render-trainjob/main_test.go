// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestCommandLine(t *testing.T) { runCases(t, "../../testdata/cli") }

type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, errors.New("broken pipe") }
func (broken) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestBrokenStreamsAreNoSuccess(t *testing.T) {
	list := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n"
	for name, streams := range map[string]struct {
		in  io.Reader
		out io.Writer
	}{
		"stdin":  {broken{}, io.Discard},
		"stdout": {strings.NewReader(list), broken{}},
	} {
		root := newRoot()
		root.SetArgs(nil)
		root.SetIn(streams.in)
		root.SetOut(streams.out)
		root.SetErr(io.Discard)
		if code := exitCode(root.Execute(), io.Discard); code != exitUsage {
			t.Errorf("%s: exit code %d", name, code)
		}
	}
}
