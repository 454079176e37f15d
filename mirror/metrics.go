// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"errors"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/types"
)

// Metrics count what the mirror does and what it can't do.
type Metrics struct {
	orphans     prometheus.Gauge
	writes      *prometheus.CounterVec
	refusals    *prometheus.CounterVec
	mu          sync.Mutex
	withoutJobs map[types.NamespacedName]struct{}
}

// NewMetrics registers them.
func NewMetrics(registry prometheus.Registerer) (*Metrics, error) {
	m := &Metrics{
		orphans: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "trainyard_mirror_trainjobs_without_jobset",
			Help: "TrainJobs that are handed over and not finished, and have no JobSet: nobody renders or runs them.",
		}),
		writes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "trainyard_mirror_writes_total",
			Help: "Writes that the API server took, by resource and verb; Events and leases aside.",
		}, []string{"resource", "verb"}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "trainyard_mirror_refused_annotations_total",
			Help: "Annotations of JobSets that could not be followed, each value once.",
		}, []string{"annotation"}),
		withoutJobs: map[types.NamespacedName]struct{}{},
	}
	return m, errors.Join(registry.Register(m.orphans), registry.Register(m.writes), registry.Register(m.refusals))
}

func (m *Metrics) wrote(resource, verb string) { m.writes.WithLabelValues(resource, verb).Inc() }

func (m *Metrics) refused(annotation string) { m.refusals.WithLabelValues(annotation).Inc() }

// orphan notes whether this TrainJob is without a JobSet.
func (m *Metrics) orphan(key types.NamespacedName, is bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if is {
		m.withoutJobs[key] = struct{}{}
	} else {
		delete(m.withoutJobs, key)
	}
	m.orphans.Set(float64(len(m.withoutJobs)))
}
