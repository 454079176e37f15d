// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package vendoring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/schemas"
)

// Runtime is a runtime as it stands in git.
type Runtime struct {
	Ref  finding.Ref
	Text []byte // YAML
	File string // that it was read from
}

// Read returns the runtimes among items, also those that the Trainer's chart
// keeps in a ConfigMap for its installer. Items of other kinds are passed over.
// One that is there twice counts once; it must be the same both times.
func Read(items []*resourcelist.Item) ([]Runtime, []finding.Finding) {
	var runtimes []Runtime
	var findings []finding.Finding
	for _, item := range items {
		within, problems := unpack(item)
		for _, found := range within {
			text, unclean := clean(found)
			r := Runtime{Ref: refOf(found), Text: text, File: item.Position.File}
			switch i := slices.IndexFunc(runtimes, r.names); {
			case finding.Blocking(unclean):
			case i < 0:
				runtimes = append(runtimes, r)
			case !bytes.Equal(runtimes[i].Text, text):
				unclean = append(unclean, finding.Errorf(finding.DuplicateObject, "metadata.name", "it is there a second time, and not the same; leave one out"))
			}
			problems = append(problems, finding.About(r.Ref, unclean)...)
		}
		findings = append(findings, inFile(item.Position.File, problems)...)
	}
	return runtimes, findings
}

func inFile(file string, findings []finding.Finding) []finding.Finding {
	for i := range findings {
		findings[i].Position.File = file
	}
	return findings
}

// unpack returns the runtimes of an item: itself, or those in a ConfigMap.
func unpack(item *resourcelist.Item) ([]*resourcelist.Item, []finding.Finding) {
	if isRuntime(item) {
		return []*resourcelist.Item{item}, nil
	}
	if item.Ref.Kind != "ConfigMap" || item.Ref.APIVersion != "v1" || !item.Mentions(trainer.GroupVersion.Group) {
		return nil, nil
	}
	var config corev1.ConfigMap
	if problems := decode(item, &config); problems != nil {
		return nil, problems
	}
	var runtimes []*resourcelist.Item
	for _, key := range slices.Sorted(maps.Keys(config.Data)) {
		within, _ := resourcelist.Documents([]byte(config.Data[key]), item.Position.File) // what is no manifest is no runtime
		for _, document := range within {
			if isRuntime(document) {
				runtimes = append(runtimes, document)
			}
		}
	}
	return runtimes, nil
}

func isRuntime(item *resourcelist.Item) bool {
	return item.Group() == trainer.GroupVersion.Group &&
		(item.Ref.Kind == trainer.ClusterTrainingRuntimeKind || item.Ref.Kind == trainer.TrainingRuntimeKind)
}

// refOf names a runtime; a cluster-wide one has no namespace.
func refOf(item *resourcelist.Item) finding.Ref {
	ref := item.Ref
	if ref.Kind == trainer.ClusterTrainingRuntimeKind {
		ref.Namespace = ""
	}
	return ref
}

// clean writes a runtime as a person would.
func clean(item *resourcelist.Item) ([]byte, []finding.Finding) {
	ref := refOf(item)
	if problems := validation.IsDNS1123Subdomain(ref.Name); len(problems) > 0 {
		return nil, []finding.Finding{finding.Errorf(finding.InvalidMetadata, "metadata.name", "%q cannot name a runtime: %s", ref.Name, problems[0])}
	}
	root, err := item.Root()
	if err != nil {
		return nil, []finding.Finding{item.Broken()}
	}
	object, findings := manifest.JSON(root)
	object, shape := schemas.Admit(object, manifest.Written(root))
	findings = append(findings, shape...)
	if finding.Blocking(findings) {
		return nil, findings
	}
	text, err := write(object, ref)
	if err != nil {
		return nil, append(findings, finding.Errorf(finding.WrongType, "", "%v", err))
	}
	return text, findings
}

// write decodes a clean runtime and writes it in the order of its type's fields.
// Both kinds have the same fields.
func write(object []byte, ref finding.Ref) ([]byte, error) {
	object, err := schemas.WithoutDefaults(object)
	if err != nil {
		return nil, err
	}
	var runtime trainer.ClusterTrainingRuntime
	if err := json.Unmarshal(object, &runtime); err != nil {
		return nil, fmt.Errorf("read the runtime: %w", err)
	}
	runtime.ObjectMeta = metav1.ObjectMeta{
		Name: ref.Name, Namespace: ref.Namespace,
		Labels: withoutMarks(runtime.Labels), Annotations: withoutMarks(runtime.Annotations),
	}
	if object, err = json.Marshal(runtime); err != nil {
		return nil, fmt.Errorf("write the runtime: %w", err)
	}
	return manifest.YAML(object), nil
}

// marks are the beginnings of labels and annotations by which installers know
// their own.
var marks = []string{
	"kubectl.kubernetes.io/", "helm.sh/", "meta.helm.sh/",
	"app.kubernetes.io/managed-by", "app.kubernetes.io/instance", "app.kubernetes.io/version",
	"argocd.argoproj.io/tracking-id", "argocd.argoproj.io/instance",
	"kustomize.toolkit.fluxcd.io/", "helm.toolkit.fluxcd.io/",
	"config.kubernetes.io/", "internal.config.kubernetes.io/",
}

func withoutMarks(all map[string]string) map[string]string {
	kept := map[string]string{}
	for key, value := range all {
		if !hasMark(key) {
			kept[key] = value
		}
	}
	return kept
}

func hasMark(key string) bool {
	for _, mark := range marks {
		if strings.HasPrefix(key, mark) {
			return true
		}
	}
	return false
}

func decode[T any](item *resourcelist.Item, object *T) []finding.Finding {
	root, err := item.Root()
	if err != nil {
		return finding.About(item.Ref, []finding.Finding{item.Broken()})
	}
	text, findings := manifest.JSON(root)
	if finding.Blocking(findings) {
		return finding.About(item.Ref, findings)
	}
	if err := json.Unmarshal(text, object); err != nil {
		return finding.About(item.Ref, []finding.Finding{finding.Errorf(finding.WrongType, "", "%v", err)})
	}
	return nil
}
