// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// generator spoils JobSets. It knows their types alone, so every field that the
// API has is reached, those of a later release too.
type generator struct {
	*rand.Rand
}

// mostSpoils is how many fields of one JobSet are spoiled.
const mostSpoils = 6

// spoil returns a JobSet with some of its fields changed at random: added,
// taken out, doubled, or set to values that are right about as often as wrong.
func (g generator) spoil(js *jobset.JobSet) *jobset.JobSet {
	js = js.DeepCopy()
	for range 1 + g.IntN(mostSpoils) {
		switch n := len(js.Spec.ReplicatedJobs); {
		case g.IntN(20) == 0:
			g.change(reflect.ValueOf(&js.ObjectMeta).Elem())
		case n == 0 || g.IntN(4) == 0:
			g.change(reflect.ValueOf(&js.Spec).Elem())
		default: // most of what can go wrong is in a pod
			template := &js.Spec.ReplicatedJobs[g.IntN(n)].Template.Spec.Template
			g.change(reflect.ValueOf(template).Elem())
		}
	}
	leaveOutUnmade(js)
	return js
}

// leaveOutUnmade takes out what no Job can be traced to: jobs without replicas,
// and all but one of those with the same name.
func leaveOutUnmade(js *jobset.JobSet) {
	seen := map[string]bool{}
	js.Spec.ReplicatedJobs = slices.DeleteFunc(js.Spec.ReplicatedJobs, func(rj jobset.ReplicatedJob) bool {
		twice := seen[rj.Name]
		seen[rj.Name] = true
		return twice || rj.Replicas < 0
	})
}

// change alters one thing at or below v.
func (g generator) change(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		g.changePointer(v)
	case reflect.Struct:
		if g.changeWhole(v) {
			return
		}
		fields := changeable(v)
		if len(fields) == 0 {
			return
		}
		g.change(g.favoured(fields))
	case reflect.Slice:
		g.changeSlice(v)
	case reflect.Map:
		g.changeMap(v)
	default:
		g.fill(v, 0)
	}
}

// favoured picks a field, those with something below them more often, so that
// the depths of a pod are reached.
func (g generator) favoured(fields []reflect.Value) reflect.Value {
	for range 3 {
		field := fields[g.IntN(len(fields))]
		if !field.IsZero() && field.Kind() != reflect.String && field.Kind() != reflect.Bool {
			return field
		}
	}
	return fields[g.IntN(len(fields))]
}

func (g generator) changePointer(v reflect.Value) {
	switch {
	case v.IsNil():
		v.Set(reflect.New(v.Type().Elem()))
		g.fill(v.Elem(), 0)
	case g.IntN(8) == 0:
		v.SetZero()
	default:
		g.change(v.Elem())
	}
}

func (g generator) changeSlice(v reflect.Value) {
	n := v.Len()
	if n == 0 || g.IntN(5) == 0 {
		item := reflect.New(v.Type().Elem()).Elem()
		g.fill(item, 0)
		v.Set(reflect.Append(v, item))
		return
	}
	i := g.IntN(n)
	switch g.IntN(8) {
	case 0: // the same twice
		v.Set(reflect.Append(v, v.Index(i)))
	case 1:
		v.Set(reflect.AppendSlice(v.Slice(0, i), v.Slice(i+1, n)))
	default:
		g.change(v.Index(i))
	}
}

func (g generator) changeMap(v reflect.Value) {
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	if marks, ok := reflect.TypeAssert[*map[string]string](v.Addr()); ok && g.IntN(4) == 0 {
		mark := pick(g, podMarks)
		(*marks)[mark[0]] = pick(g, mark[1:])
		return
	}
	key := reflect.New(v.Type().Key()).Elem()
	if keys := v.MapKeys(); len(keys) > 0 && g.IntN(2) == 0 {
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		key.Set(keys[g.IntN(len(keys))])
	} else {
		g.fill(key, 0)
	}
	value := reflect.New(v.Type().Elem()).Elem()
	g.fill(value, 0)
	v.SetMapIndex(key, value)
}

// deepest is how far below a field that was added others are filled in.
const deepest = 4

// fill gives v a value at random.
func (g generator) fill(v reflect.Value, depth int) {
	if g.changeWhole(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if depth < deepest && g.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			g.fill(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for _, field := range changeable(v) {
			if g.IntN(2) == 0 {
				g.fill(field, depth+1)
			}
		}
	case reflect.Slice:
		for depth < deepest && g.IntN(2) == 0 {
			item := reflect.New(v.Type().Elem()).Elem()
			g.fill(item, depth+1)
			v.Set(reflect.Append(v, item))
		}
	case reflect.Map:
		if depth < deepest {
			g.changeMap(v)
		}
	case reflect.String:
		v.SetString(pick(g, stringsFor(v.Type())))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(int32(pick(g, numbers)))) //nolint:gosec // what is left of it is a number too
	case reflect.Bool:
		v.SetBool(g.IntN(2) == 0)
	}
}

// changeWhole gives a value to the structs that are one value.
func (g generator) changeWhole(v reflect.Value) bool {
	switch at := v.Addr().Interface().(type) {
	case *resource.Quantity:
		*at = resource.MustParse(pick(g, quantities))
	case *intstr.IntOrString:
		*at = intstr.Parse(pick(g, ports))
	case *metav1.Time, *metav1.FieldsV1:
	default:
		return false
	}
	return true
}

// changeable are the fields of a struct that a user writes and that render/accept
// answers for.
func changeable(v reflect.Value) []reflect.Value {
	var fields []reflect.Value
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if v.Type() == reflect.TypeFor[metav1.ObjectMeta]() {
			if metadata[field.Name] {
				fields = append(fields, v.Field(i))
			}
		} else if field.IsExported() && !unread[field.Name] {
			fields = append(fields, v.Field(i))
		}
	}
	return fields
}

func pick[T any](g generator, values []T) T {
	return values[g.IntN(len(values))]
}
