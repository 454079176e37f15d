// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// notice is what an Event says.
type notice struct{ reason, action, note string }

// maxNote is what the API takes in an Event's note.
const maxNote = 1024

// tell says something about an object, once for each version of what it is
// about. It returns whether it was news.
func (r *Reconciler) tell(p pair, object client.Object, version string, n notice) bool {
	said := string(object.GetUID()) + "/" + version
	if p.past.told[n.reason] == said {
		return false
	}
	p.past.told[n.reason] = said
	r.Events.Eventf(object, nil, corev1.EventTypeWarning, n.reason, n.action, "%s", n.note[:min(len(n.note), maxNote)])
	return true
}

// refuse says that an annotation of the JobSet can't be followed. The note
// must not hold its value.
func (r *Reconciler) refuse(p pair, annotation, note string) {
	n := notice{reason: "AnnotationRefused", action: "Mirror", note: annotation + " " + note}
	if r.tell(p, p.jobSet, annotation+"="+p.jobSet.Annotations[annotation], n) {
		r.Metrics.refused(annotation)
	}
}
