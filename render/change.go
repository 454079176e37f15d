// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
)

// Edit is one field that applying an object again would change. A list item or
// an object that comes or goes is one edit with all that is in it.
type Edit struct {
	Path    string // as in Leaf; of items in another order it is the list's
	Was, Is string // as JSON; empty: the field is not there
	Effect  Effect
}

// Effect is what an edit does to a run that is admitted and running.
type Effect string

// The API takes the edit and the run goes on; it takes it and the run stops; it
// refuses the whole apply.
const (
	InPlace Effect = "in-place"
	Stops   Effect = "stops"
	Refused Effect = "refused"
)

// Change is what applying `is` does to the object `was`, which has the same
// kind and name and belongs to a run that is admitted and running. Of a run
// that is suspended the API would take more.
//
// Source: JobSet v0.12.0's webhook and the CEL rules of its CRD, Kueue v0.17.0's
// webhook for JobSets, Kubernetes' validation of ConfigMaps.
func Change(was, is runtime.Object) []Edit {
	edits := differ(nil, "", applied(was), applied(is))
	for i, e := range edits {
		edits[i].Effect = effect(e, was, is)
	}
	return edits
}

func effect(e Edit, was, is runtime.Object) Effect {
	switch is := is.(type) {
	case *jobset.JobSet:
		return onJobSet(e, is.Spec.Suspend != nil && *is.Spec.Suspend)
	case *corev1.ConfigMap:
		return onConfigMap(e, was)
	default: // no PodGroup has a field that can't change
		return InPlace
	}
}

// onJobSet judges an edit of a JobSet. One that suspends it may change what
// Kueue changes on admission.
func onJobSet(e Edit, suspends bool) Effect {
	switch {
	case within(e.Path, "metadata"):
		return onMetadata(e, suspends)
	case e.Path == "spec.suspend" && e.Is == "true":
		return Stops
	case e.Path == "spec.suspend", e.Path == "spec.ttlSecondsAfterFinished", within(e.Path, "spec.coordinator"):
		return InPlace
	case suspends && withinAdmission(e.Path), comesOrGoes(e):
		return InPlace
	default:
		return Refused
	}
}

// onMetadata: Kueue keeps the labels by which it admitted the run. A webhook
// judges every JobSet, so a queue can't be given later either.
func onMetadata(e Edit, suspends bool) Effect {
	refused := false
	switch strings.TrimPrefix(e.Path, "metadata.") {
	case "labels[" + marks.QueueName + "]", "labels[" + marks.KueuePrefix + "prebuilt-workload-name]":
		refused = !suspends
	case "labels[" + marks.KueuePrefix + "max-exec-time-seconds]", "annotations[" + marks.KueuePrefix + "elastic-job]":
		refused = true
	case "labels[" + marks.KueuePrefix + "priority-class]":
		refused = e.Is == "" || e.Was == "" && !suspends
	case "annotations[" + marks.KueuePrefix + "admission-gated-by]":
		refused = e.Is != ""
	}
	if refused {
		return Refused
	}
	return InPlace
}

// withinAdmission: the fields of a pod template that JobSet's webhook leaves
// open while the JobSet is suspended.
func withinAdmission(path string) bool {
	inJob, ok := strings.CutPrefix(path, "spec.replicatedJobs[name=")
	_, inPod, isPod := strings.Cut(inJob, "].template.spec.template.")
	if !ok || !isPod {
		return false
	}
	for _, open := range []string{"metadata.labels", "metadata.annotations", "spec.nodeSelector", "spec.tolerations", "spec.schedulingGates"} {
		if within(inPod, open) {
			return true
		}
	}
	return false
}

// comesOrGoes: the CRD compares these with what they were, and compares nothing
// where they were not there or are there no more.
func comesOrGoes(e Edit) bool {
	switch e.Path {
	case "spec.network", "spec.successPolicy", "spec.failurePolicy", "spec.startupPolicy", "spec.volumeClaimPolicies":
		return e.Was == "" || e.Is == ""
	default:
		return false
	}
}

func onConfigMap(e Edit, was runtime.Object) Effect {
	before, ok := was.(*corev1.ConfigMap)
	if ok && before.Immutable != nil && *before.Immutable && !within(e.Path, "metadata") {
		return Refused
	}
	return InPlace
}

// within reports whether the path is the field or lies below it.
func within(path, field string) bool {
	rest, ok := strings.CutPrefix(path, field)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
