// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// memory holds what the mirror did for each pair. A restart loses it; then at
// worst an Event is said, or a creation tried, once more.
type memory struct {
	mu    sync.Mutex
	pairs map[types.NamespacedName]*past
}

// past is what was done for one pair. One worker has a pair at a time.
type past struct {
	told    map[string]string // by an Event's reason: what it was about
	refused string            // the TrainJob spec that was refused
	writes  statusWrites
	secret  secretTries
	freed   types.UID // the JobSet whose Jobs were deleted
}

func (m *memory) of(key types.NamespacedName) *past {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pairs == nil {
		m.pairs = map[types.NamespacedName]*past{}
	}
	if m.pairs[key] == nil {
		m.pairs[key] = &past{told: map[string]string{}}
	}
	return m.pairs[key]
}

func (m *memory) forget(key types.NamespacedName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.pairs, key)
}
