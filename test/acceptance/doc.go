// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package acceptance holds render/accept against the real thing.
//
// The judge is made of the parts that a cluster is made of, in the order in
// which a JobSet meets them: JobSet's own webhook; JobSet's own controller,
// which makes Jobs and claims on an in-memory client; and the Job, Pod and
// claim strategies of the API server. What one of them refuses, accept.Check
// must refuse at the same place, and what all of them take, it must take.
//
// JobSets to judge come from testdata and from a seeded generator that spoils
// good ones in every field. A JobSet on which the two differ is shrunk to the
// least that still shows it.
package acceptance
