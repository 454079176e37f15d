// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"os"
	"sync"
	"testing"

	"sigs.k8s.io/yaml"
)

func TestFingerprintsTellValuesApart(t *testing.T) {
	texts := []string{
		`{}`, `{"a":1}`, `{"a":"1"}`, `{"a":true}`, `{"a":"true"}`, `{"a":false}`, `{"a":{}}`, `{"a":[]}`, `{"a":[1]}`, `{"a":[[1]]}`,
		`{"a":[1,2]}`, `{"a":[2,1]}`, `{"b":1}`, `{"a":"b","b":"a"}`, `{"a":"a","b":"b"}`, `{"a":1,"b":2}`, `{"a":2,"b":1}`,
		`{"a":{"b":1},"c":{}}`, `{"a":{},"c":{"b":1}}`, `{"a":["",""]}`, `{"a":[""]}`,
	}
	seen := map[fingerprint]string{}
	for _, text := range texts {
		object, err := decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		key := fingerprintOf(object)
		if other, twice := seen[key]; twice {
			t.Errorf("%s and %s have one fingerprint", other, text)
		}
		seen[key] = text
	}
}

func TestTheOrderOfFieldsCountsForNothing(t *testing.T) {
	one, err := decode([]byte(`{"a":1,"b":[2,{"c":3,"d":4}]}`))
	if err != nil {
		t.Fatal(err)
	}
	two, err := decode([]byte(`{"b":[2,{"d":4,"c":3}],"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if fingerprintOf(one) != fingerprintOf(two) {
		t.Error("the same value has two fingerprints")
	}
}

// What one object teaches the schema is there for all: many are judged at once.
func TestValidateInParallel(t *testing.T) {
	given, err := os.ReadFile("../testdata/schemas/jobset/valid-usual.yaml")
	if err != nil {
		t.Fatal(err)
	}
	object, err := yaml.YAMLToJSON(given)
	if err != nil {
		t.Fatal(err)
	}
	clear(documents.byName)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if found := Validate(object); found != nil {
				t.Errorf("%v", found)
			}
		})
	}
	all.Wait()
}
