// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/trainyard/trainyard/internal/marks"
)

// checkQueueLabels asks what Kueue's webhook asks of a JobSet, in a queue or
// not: it judges every one.
func checkQueueLabels(s spot, labels map[string]string) {
	if queue, ok := labels[marks.QueueName]; ok {
		if complaints := validation.IsDNS1123Subdomain(queue); len(complaints) > 0 {
			s.key(marks.QueueName).refuse("%q names no LocalQueue: %s; name one, or drop the label", queue, complaints[0])
		}
	}
	const deadline = marks.KueuePrefix + "max-exec-time-seconds"
	if text, ok := labels[deadline]; ok {
		if seconds, err := strconv.Atoi(text); err != nil || seconds < 1 {
			s.key(deadline).refuse("must be a whole number above 0; it is %q", text)
		}
	}
}

// checkTopology asks what it asks of the topology that pods are to share.
func checkTopology(s spot, annotations map[string]string) {
	const prefix = marks.KueuePrefix + "podset-"
	var given []string
	for _, key := range []string{prefix + "required-topology", prefix + "preferred-topology", prefix + "unconstrained-topology"} {
		level, ok := annotations[key]
		if !ok {
			continue
		}
		if given = append(given, key); key == prefix+"unconstrained-topology" {
			if _, err := strconv.ParseBool(level); err != nil {
				s.key(key).refuse("must be true or false; it is %q", level)
			}
			continue
		}
		s.key(key).refuseIf(validation.IsQualifiedName(level), level)
	}
	if len(given) > 1 {
		s.key(given[1]).refuse("cannot stand beside %s; keep one of them", given[0])
	}
}
