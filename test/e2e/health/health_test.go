// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package health

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/internal/golden"
)

const deploy = "../../../deploy/health/"

// verdicts are what each check in deploy/health says of one object.
type verdicts struct {
	ArgoCD      Health `json:"argocd"`
	ArgoCDWaves Health `json:"argocd-waves"`
	Flux        string `json:"flux"`
	FluxWaves   string `json:"flux-waves"`
}

// TestHealth judges the states in testdata. Each is a folder: object.yaml was
// read from a cluster (go test .. -run Health -record), health.yaml is wanted.
func TestHealth(t *testing.T) {
	golden.Cases(t, "testdata", func(t *testing.T, folder string) {
		var object unstructured.Unstructured
		load(t, filepath.Join(folder, "object.yaml"), &object.Object)
		kind := strings.ToLower(object.GetKind())
		got, err := yaml.Marshal(verdicts{
			ArgoCD: argoCD(t, "argocd/"+kind, object), ArgoCDWaves: argoCD(t, "argocd-waves/"+kind, object),
			Flux: flux(t, "flux", object), FluxWaves: flux(t, "flux-waves", object),
		})
		if err != nil {
			t.Fatal(err)
		}
		golden.File(t, filepath.Join(folder, "health.yaml"), got)
	})
}

// TestProfiles: the checks for an app with sync waves are the others with what
// running means turned over. With -update they are written anew.
func TestProfiles(t *testing.T) {
	for _, kind := range []string{"jobset", "trainjob"} {
		_, check, ok := strings.Cut(script(t, "argocd/"+kind), "\nlocal running = \"Progressing\"\n")
		if !ok {
			t.Fatalf("argocd/%s.lua does not say what running means", kind)
		}
		golden.File(t, deploy+"argocd-waves/"+kind+".lua", []byte(wavesHead+"\nlocal running = \"Healthy\"\n"+check))
	}
}

const wavesHead = `-- SPDX-FileCopyrightText: The Trainyard Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- As in ../argocd, from which make golden writes this, but for an app with sync
-- waves: a training is healthy when all its jobs are ready, or it would hold up
-- the waves after it.
`

func argoCD(t *testing.T, check string, object unstructured.Unstructured) Health {
	t.Helper()
	got, err := ArgoCD(script(t, check), object.Object)
	if err != nil {
		t.Fatalf("%s: %v", check, err)
	}
	return got
}

func script(t *testing.T, check string) string {
	t.Helper()
	text, err := os.ReadFile(deploy + check + ".lua")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func flux(t *testing.T, profile string, object unstructured.Unstructured) string {
	t.Helper()
	var patch struct {
		Spec struct {
			HealthCheckExprs []Expressions `json:"healthCheckExprs"`
		} `json:"spec"`
	}
	load(t, deploy+profile+"/health-checks.yaml", &patch)
	for _, e := range patch.Spec.HealthCheckExprs {
		if e.APIVersion == object.GetAPIVersion() && e.Kind == object.GetKind() {
			got, err := Flux(e, object.Object)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
	}
	t.Fatalf("%s has no expressions for %s", profile, object.GetKind())
	return ""
}

func load(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
