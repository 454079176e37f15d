// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"reflect"
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"

	"github.com/trainyard/trainyard/render/policy"
)

// TestEveryPolicyOfTheAPIIsKnown fails the day the API gains a policy that
// nothing here renders or refuses.
func TestEveryPolicyOfTheAPIIsKnown(t *testing.T) {
	for field := range reflect.TypeFor[trainer.MLPolicySource]().Fields() {
		t.Run("mlPolicy "+field.Name, func(t *testing.T) {
			var p trainer.MLPolicy
			reflect.ValueOf(&p.MLPolicySource).Elem().FieldByIndex(field.Index).Set(reflect.New(field.Type.Elem()))
			if framework(&p) == policy.None {
				t.Errorf("no framework is known for mlPolicy.%s", field.Name)
			}
		})
	}
	for field := range reflect.TypeFor[trainer.PodGroupPolicySource]().Fields() {
		t.Run("podGroupPolicy "+field.Name, func(t *testing.T) {
			var p trainer.PodGroupPolicy
			reflect.ValueOf(&p.PodGroupPolicySource).Elem().FieldByIndex(field.Index).Set(reflect.New(field.Type.Elem()))
			applies := false
			for _, finisher := range policy.Finishers() {
				applies = applies || finisher.Applies(policy.Job{PodGroupPolicy: p})
			}
			if !applies {
				t.Errorf("no policy applies to podGroupPolicy.%s", field.Name)
			}
		})
	}
}
