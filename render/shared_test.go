// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"reflect"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/trainyard/trainyard/internal/golden"
	"github.com/trainyard/trainyard/render"
)

// A caller may change what it got: no other rendering sees that, nor does the
// input. And several may render from one runtime at once.
func TestResultsShareNothing(t *testing.T) {
	golden.Cases(t, "../testdata/render", func(t *testing.T, folder string) {
		job, rt, opts := given(t, folder)
		before, beforeRT := job.DeepCopy(), rt.Spec.DeepCopy()
		want := encode(t, render.Render(job, rt, opts))
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				result := render.Render(job, rt, opts)
				scribble(reflect.ValueOf(result.JobSet))
				scribble(reflect.ValueOf(result.Companions))
			})
		}
		all.Wait()
		if got := encode(t, render.Render(job, rt, opts)); got != want {
			t.Errorf("after a result was changed, it renders otherwise:\n%s", cmp.Diff(want, got))
		}
		if diff := cmp.Diff(before, job) + cmp.Diff(beforeRT, &rt.Spec); diff != "" {
			t.Errorf("the input was changed with the result:\n%s", diff)
		}
	})
}

// scribble changes everything that a value leads to.
func scribble(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			scribble(v.Elem())
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			scribble(field)
		}
	case reflect.Slice:
		for i := range v.Len() {
			scribble(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			v.SetMapIndex(key, reflect.Zero(v.Type().Elem()))
		}
	case reflect.String:
		if v.CanSet() {
			v.SetString("scribbled")
		}
	default:
		if v.CanSet() {
			v.SetZero()
		}
	}
}

// What scribble can't change, the test above can't find.
func TestScribbleChangesAll(t *testing.T) {
	pod := &corev1.PodSpec{
		Hostname: "a", HostUsers: new(true), NodeSelector: map[string]string{"a": "b"},
		Containers: []corev1.Container{{Name: "a", Command: []string{"b"}, Env: []corev1.EnvVar{{Value: "c"}}}},
	}
	scribble(reflect.ValueOf(pod))
	c := pod.Containers[0]
	for what, left := range map[string]bool{
		"a string": pod.Hostname == "a", "what a pointer leads to": *pod.HostUsers, "a map": pod.NodeSelector["a"] == "b",
		"an item": c.Command[0] == "b", "a field of one": c.Env[0].Value == "c",
	} {
		if left {
			t.Errorf("%s is as it was", what)
		}
	}
}
