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
	return cleaned(object, decoded)
}

// cleaned cleans the decoded object, and encodes it again if that changed it.
func cleaned(object []byte, decoded map[string]any) ([]byte, error) {
	if !clean(decoded) {
		return object, nil
	}
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

// clean reports whether there was anything to drop.
func clean(object map[string]any) bool {
	dropped := drop(object, "status")
	if metadata, ok := object["metadata"].(map[string]any); ok {
		dropped = drop(metadata, serverSet...) || dropped
		if metadata["namespace"] == "" { // the API server reads it as none
			dropped = drop(metadata, "namespace") || dropped
		}
	}
	return dropNulls(object) || dropped
}

func drop(object map[string]any, fields ...string) bool {
	before := len(object)
	for _, field := range fields {
		delete(object, field)
	}
	return len(object) < before
}

// dropNulls also drops creationTimestamp, which Go programs write into the
// metadata of templates.
func dropNulls(value any) (dropped bool) {
	switch value := value.(type) {
	case map[string]any:
		for key, child := range value {
			if child == nil {
				dropped = drop(value, key)
				continue
			}
			if metadata, ok := child.(map[string]any); ok && key == "metadata" {
				dropped = drop(metadata, "creationTimestamp") || dropped
			}
			dropped = dropNulls(child) || dropped
		}
	case []any:
		for _, item := range value {
			dropped = dropNulls(item) || dropped
		}
	}
	return dropped
}
