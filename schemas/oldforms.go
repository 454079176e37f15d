// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"strings"

	"github.com/trainyard/trainyard/internal/lazyregexp"
	"github.com/trainyard/trainyard/render/finding"
)

// oldForm is what a field meant in an older release, and what it is called now.
type oldForm struct {
	severity finding.Severity
	message  func(value any, at path) string // "" if this value is a plain mistake
}

// In a TrainJob an old form asks for something that would be lost; in a runtime
// most of them had no effect in the end.
var (
	trainJobForms = map[string]oldForm{
		"spec.podSpecOverrides":       {finding.Error, podSpecOverrides},
		"spec.podTemplateOverrides":   {finding.Error, podTemplateOverrides},
		"spec.labels":                 {finding.Error, jobSetLabels},
		"spec.annotations":            {finding.Error, jobSetAnnotations},
		"spec.datasetConfig":          {finding.Error, initializer("dataset")},
		"spec.modelConfig":            {finding.Error, initializer("model")},
		"spec.trainingRuntimeRef":     {finding.Error, renamed("spec.runtimeRef")},
		"spec.mlPolicy":               {finding.Error, ofRuntime},
		"spec.trainer.mlPolicy":       {finding.Error, ofRuntime},
		"spec.trainer.numProcPerNode": {finding.Error, processesByName},
	}
	runtimeForms = map[string]oldForm{
		"spec.mlPolicy.torch.numProcPerNode":              {finding.Warning, processesOfRuntime},
		"spec.mlPolicy.torch.elasticPolicy":               {finding.Warning, elasticPolicy},
		"spec.template.spec.replicatedJobs[].dependsOn[]": {finding.Error, dependencyByName},
	}
)

// oldForms tells what an older release knew from plain mistakes. What is wrong
// within an old form goes with it.
func oldForms(kind typeMeta, object any, found []located) []located {
	forms := runtimeForms
	switch kind.kind {
	case "TrainJob":
		forms = trainJobForms
	case "TrainingRuntime", "ClusterTrainingRuntime":
	default:
		return found
	}
	for i, f := range found {
		form, known := forms[anyIndex().ReplaceAllString(f.Field, "[]")]
		if !known || f.Rule != finding.UnknownField && f.Rule != finding.WrongType {
			continue
		}
		if message := form.message(f.path.from(object), f.path); message != "" {
			found[i].Rule, found[i].Severity, found[i].Message = finding.OldForm, form.severity, message
		}
	}
	return found
}

var anyIndex = lazyregexp.New(`\[\d+\]`)

// oldKind speaks of objects that have a successor among those that are rendered.
func oldKind(kind typeMeta) []finding.Finding {
	group, version, _ := strings.Cut(kind.apiVersion, "/")
	_, isTrainers := fileNames[typeMeta{currentVersion, kind.kind}]
	switch {
	case isTrainers && (group == "kubeflow.org" || group == "trainer.kubeflow.org"):
		found := finding.Errorf(finding.OldForm, "apiVersion",
			"the Trainer does not serve %s, so that nothing would act on this %s; write %s", kind.apiVersion, kind.kind, currentVersion)
		if kind.kind != "TrainJob" {
			found.Severity = finding.Warning
		}
		return []finding.Finding{found}
	case group == "kubeflow.org" && oldJobs[kind.kind] != "":
		return []finding.Finding{finding.Infof(finding.OldKind, "kind",
			"%s %s belongs to the Training Operator and is left as it is; its successor is a TrainJob on %s",
			kind.kind, version, oldJobs[kind.kind])}
	}
	return nil
}

// currentVersion is that of the Trainer's own kinds.
const currentVersion = "trainer.kubeflow.org/v1alpha1"

// oldJobs are the Training Operator's kinds, with the runtime that comes nearest.
var oldJobs = map[string]string{
	"PyTorchJob": "the runtime torch-distributed",
	"MPIJob":     "the runtime deepspeed-distributed",
	"XGBoostJob": "the runtime xgboost-distributed",
	"JAXJob":     "the runtime jax-distributed",
	"TFJob":      "a runtime of your own",
	"PaddleJob":  "a runtime of your own",
}
