// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/policy"
)

// profile is what the appliers must be told of one job's objects.
type profile struct {
	serverSide bool // Argo CD: apply on the server, so that Kueue's fields are left alone
	onlyOnce   bool // Flux: leave the object alone once it is there
	literally  bool // Flux: a ${NAME} belongs to the script, not to Flux
}

// profiled adds the annotations that an applier needs to leave the job alone,
// each only where this job needs it.
func profiled(opts Options) func(policy.Job) policy.Job {
	argo := opts.Profile == ProfileAll || opts.Profile == ProfileArgoCD
	flux := opts.Profile == ProfileAll || opts.Profile == ProfileFlux
	return func(j policy.Job) policy.Job {
		queued := queued(j, opts)
		p := profile{serverSide: argo && queued, onlyOnce: flux && queued && hasTolerations(j.Spec), literally: flux}
		j.Metadata.Annotations = p.on(j.Metadata.Annotations, newJobSet(j))
		j.Companions = slices.Clone(j.Companions)
		for i, c := range j.Companions {
			c = c.DeepCopyObject()
			if object, ok := c.(metav1.Object); ok {
				object.SetAnnotations(p.on(object.GetAnnotations(), object))
			}
			j.Companions[i] = c
		}
		return j
	}
}

// on is the object's annotations with the profile's merged in.
func (p profile) on(annotations map[string]string, object metav1.Object) map[string]string {
	sum := maps.Clone(annotations)
	set := func(key, value string) {
		if sum == nil {
			sum = map[string]string{}
		}
		sum[key] = value
	}
	if p.serverSide {
		set(argoSyncOption, withOption(sum[argoSyncOption], "ServerSideApply", "true"))
	}
	if p.onlyOnce && sum[fluxSSA] == "" {
		set(fluxSSA, "IfNotPresent")
	}
	if p.literally && sum[fluxSubstitute] == "" && mentionsVariable(object) {
		set(fluxSubstitute, "disabled")
	}
	return sum
}

// withOption adds an option to a list like "Prune=false,Validate=false", unless
// the list sets it already.
func withOption(list, name, value string) string {
	if list == "" {
		return name + "=" + value
	}
	there := slices.ContainsFunc(strings.Split(list, ","), func(option string) bool {
		key, _, _ := strings.Cut(strings.TrimSpace(option), "=")
		return key == name
	})
	if there {
		return list
	}
	return list + "," + name + "=" + value
}

func hasTolerations(spec jobset.JobSetSpec) bool {
	return slices.ContainsFunc(spec.ReplicatedJobs, func(r jobset.ReplicatedJob) bool {
		return len(policy.Pod(r).Tolerations) > 0
	})
}

// mentionsVariable reports whether Flux's post-build substitution would find
// something to replace in the object.
func mentionsVariable(object metav1.Object) bool {
	return mentions(reflect.ValueOf(object), "${")
}

// mentions looks for a text in all strings of a value, which is far quicker than
// to write the value out.
func mentions(v reflect.Value, text string) bool {
	switch v.Kind() {
	case reflect.String:
		return strings.Contains(v.String(), text)
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && mentions(v.Elem(), text)
	case reflect.Struct:
		return anyOf(v.NumField(), func(i int) bool { return mentions(v.Field(i), text) })
	case reflect.Slice:
		return anyOf(v.Len(), func(i int) bool { return mentions(v.Index(i), text) })
	case reflect.Map:
		if v.CanInterface() && v.Type() == reflect.TypeFor[map[string]string]() {
			texts, _ := reflect.TypeAssert[map[string]string](v)
			return mapMentions(texts, text)
		}
		for entry := v.MapRange(); entry.Next(); {
			if mentions(entry.Key(), text) || mentions(entry.Value(), text) {
				return true
			}
		}
		return false
	default:
		return false
	}
}

func mapMentions(texts map[string]string, text string) bool {
	for key, value := range texts {
		if strings.Contains(key, text) || strings.Contains(value, text) {
			return true
		}
	}
	return false
}

func anyOf(n int, is func(i int) bool) bool {
	for i := range n {
		if is(i) {
			return true
		}
	}
	return false
}
