// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// serverSet are the fields of an object's metadata that only a server writes.
var serverSet = []string{
	"uid", "resourceVersion", "generation", "managedFields", "selfLink", "ownerReferences",
	"deletionTimestamp", "deletionGracePeriodSeconds",
}

// Clean returns the object, which is JSON, without what an export brings along:
// null, which stands for an absent field, the status, and what a server sets in
// the metadata. Validate judges what Clean leaves; whoever decodes the object
// decodes that too.
func Clean(object []byte) ([]byte, error) {
	decoded, err := decode(object)
	if err != nil {
		return nil, err
	}
	clean(decoded)
	return json.Marshal(decoded)
}

// decode reads one JSON object; numbers stay as they are written.
func decode(object []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.UseNumber()
	var decoded map[string]any
	if err := decoder.Decode(&decoded); err != nil {
		return nil, fmt.Errorf("read object: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("read object: there is more after it")
	}
	if decoded == nil {
		return nil, errors.New("read object: it is null")
	}
	return decoded, nil
}

func clean(object map[string]any) {
	delete(object, "status")
	if metadata, ok := object["metadata"].(map[string]any); ok {
		for _, field := range serverSet {
			delete(metadata, field)
		}
		if metadata["namespace"] == "" { // the API server reads it as none
			delete(metadata, "namespace")
		}
	}
	dropNulls(object)
}

// dropNulls also drops creationTimestamp, which Go programs write into the
// metadata of templates.
func dropNulls(value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, child := range value {
			if child == nil {
				delete(value, key)
				continue
			}
			if metadata, ok := child.(map[string]any); ok && key == "metadata" {
				delete(metadata, "creationTimestamp")
			}
			dropNulls(child)
		}
	case []any:
		for _, item := range value {
			dropNulls(item)
		}
	}
}
