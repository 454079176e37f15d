// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"encoding/json"
	"reflect"
)

// WithoutDefaults returns the object, which is JSON, without the fields that
// hold what an API server would fill in for them. An object of an unknown kind
// keeps all of its fields. An empty string stays: Go's types leave it out.
func WithoutDefaults(object []byte) ([]byte, error) {
	decoded, err := decode(object)
	if err != nil {
		return nil, err
	}
	apiVersion, _ := decoded["apiVersion"].(string)
	kind, _ := decoded["kind"].(string)
	if d := documentOf(typeMeta{apiVersion, kind}); d != nil {
		if err := d.dropDefaults(map[string]any{definitionKeyword: root}, decoded); err != nil {
			return nil, err
		}
	}
	return json.Marshal(decoded)
}

// dropDefaults takes the defaults out of a value.
func (d *document) dropDefaults(schema map[string]any, value any) error {
	if name, is := schema[definitionKeyword].(string); is {
		whole, err := d.decode(name)
		if err != nil {
			return err
		}
		schema = whole
	}
	switch value := value.(type) {
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		for name, child := range value {
			property, _ := properties[name].(map[string]any)
			if byDefault, has := property["default"]; has && byDefault != "" && reflect.DeepEqual(child, byDefault) {
				delete(value, name)
			} else if err := d.dropDefaults(property, child); err != nil {
				return err
			}
		}
	case []any:
		items, _ := schema["items"].(map[string]any)
		for _, item := range value {
			if err := d.dropDefaults(items, item); err != nil {
				return err
			}
		}
	}
	return nil
}
