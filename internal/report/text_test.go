// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trainyard/trainyard/render/finding"
)

var some = []finding.Finding{
	{
		Severity: finding.Error, Rule: finding.ReservedEnv, Object: finding.Ref{Kind: "TrainJob", Namespace: "team-a", Name: "job"},
		Field: "spec.trainer.env[0].name", Message: "PET_NNODES is set by the torch policy; remove it",
		Position: finding.Position{File: "jobs/a.yaml", Line: 7},
	},
	{
		Severity: finding.Warning, Rule: finding.YAMLAmbiguous, Object: finding.Ref{Name: "ü"}, Field: "a",
		Message: "100% of\ntwo lines", Position: finding.Position{File: "b,c:d.yaml"},
	},
	{Severity: finding.Info, Rule: finding.FrozenRun, Message: "stays"},
}

func TestText(t *testing.T) {
	var plain, coloured bytes.Buffer
	if err := errors.Join(Text(&plain, some, false), Text(&coloured, some, true)); err != nil {
		t.Fatal(err)
	}
	want := `error    team-a/job  spec.trainer.env[0].name  PET_NNODES is set by the torch policy; remove it  (reserved-env) jobs/a.yaml:7
warning  ü           a                         100% of
    two lines  (yaml-ambiguous) b,c:d.yaml
info                                           stays  (frozen-run)
`
	if diff := cmp.Diff(want, plain.String()); diff != "" {
		t.Error(diff)
	}
	uncoloured := coloured.Bytes()
	for _, code := range []string{"\x1b[31m", "\x1b[33m", "\x1b[34m", "\x1b[0m"} {
		if !bytes.Contains(uncoloured, []byte(code)) {
			t.Errorf("no colour %q", code)
		}
		uncoloured = bytes.ReplaceAll(uncoloured, []byte(code), nil)
	}
	if diff := cmp.Diff(want, string(uncoloured)); diff != "" {
		t.Errorf("with colours: %s", diff)
	}
}

func TestGitHubEscapes(t *testing.T) {
	var out bytes.Buffer
	if err := GitHub(&out, some); err != nil {
		t.Fatal(err)
	}
	want := `::error title=reserved-env,file=jobs/a.yaml,line=7::team-a/job: spec.trainer.env[0].name: PET_NNODES is set by the torch policy; remove it
::warning title=yaml-ambiguous,file=b%2Cc%3Ad.yaml::ü: a: 100%25 of%0Atwo lines
::notice title=frozen-run::stays
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestNoFindings(t *testing.T) {
	var text, list, log bytes.Buffer
	if err := errors.Join(Text(&text, nil, true), JSON(&list, nil), SARIF(&log, nil)); err != nil {
		t.Fatal(err)
	}
	var sarif sarifLog
	if err := json.Unmarshal(log.Bytes(), &sarif); err != nil {
		t.Fatal(err)
	}
	if text.Len() > 0 || list.String() != "[]\n" || len(sarif.Runs) != 1 || sarif.Runs[0].Results == nil {
		t.Errorf("%q %q %s", text.String(), list.String(), log.String())
	}
}

func TestEveryWriterTellsOfABrokenStream(t *testing.T) {
	reader, writer := io.Pipe()
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"text": Text(writer, some, false), "json": JSON(writer, some), "sarif": SARIF(writer, some), "github": GitHub(writer, some),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
