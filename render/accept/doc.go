// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package accept answers one question: would a cluster take this JobSet?
//
// Three doors stand in its way, and each refuses at another time. JobSet's
// webhook refuses on create; the Job API refuses when JobSet's controller makes
// the Jobs, and the Pod API when the Job controller makes the pods: hours
// later, in a controller's log, while the JobSet looks alive. Check knocks at
// all three now, and each answer is a finding at the field that earned it.
//
// The rules are those of JobSet v0.12 and Kubernetes v1.36 with the feature
// gates that are on by default. A field that the API would drop because its
// gate is off is no error, since the cluster accepts it. What a cluster alone
// can know (quota, admission policies, whether a Secret exists) is not asked.
//
// The package is pure. It reads a JobSet as decoded, with any pointer nil, and
// never changes it.
package accept
