// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"encoding/json"
	"hash/maphash"
	"math/bits"
	"sync"
)

// memory holds which values are known to be valid. What comes of one runtime is
// alike in most of its parts, and to recognise a part is far quicker than to
// judge it.
type memory struct {
	mutex sync.RWMutex
	valid map[fingerprint]bool
}

// fingerprint stands for a value: that two values share one is as likely as to
// guess 64 bits.
type fingerprint uint64

func (m *memory) has(f fingerprint) bool {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.valid[f]
}

func (m *memory) add(f fingerprint) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.valid == nil {
		m.valid = map[fingerprint]bool{}
	}
	m.valid[f] = true
}

// Values of two types that read alike differ in their seed.
var (
	ofString, ofNumber = maphash.MakeSeed(), maphash.MakeSeed()
	ofTrue, ofFalse    = fingerprint(maphash.String(ofNumber, "true")), fingerprint(maphash.String(ofNumber, "false"))
	ofList, ofObject   = fingerprint(maphash.String(ofNumber, "list")), fingerprint(maphash.String(ofNumber, "object"))
)

// fingerprintOf takes decoded JSON. The order of an object's fields counts for
// nothing.
func fingerprintOf(value any) fingerprint {
	switch value := value.(type) {
	case string:
		return fingerprintOfText(value)
	case json.Number:
		return fingerprint(maphash.String(ofNumber, string(value)))
	case bool:
		if value {
			return ofTrue
		}
		return ofFalse
	case []any:
		sum := ofList
		for _, item := range value {
			sum = sum.then(fingerprintOf(item))
		}
		return sum
	case map[string]any:
		sum := ofObject
		for key, child := range value {
			sum += fingerprintOfText(key).then(fingerprintOf(child))
		}
		return sum
	}
	return 0
}

func fingerprintOfText(text string) fingerprint {
	return fingerprint(maphash.String(ofString, text))
}

// then mixes in what follows.
func (f fingerprint) then(next fingerprint) fingerprint {
	high, low := bits.Mul64(uint64(f)^0x9e3779b97f4a7c15, uint64(next)^0xd1b54a32d192ed03)
	return fingerprint(high ^ low)
}
