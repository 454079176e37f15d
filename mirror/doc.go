// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package mirror copies the status of a JobSet onto the TrainJob of the same
// name, and makes in the cluster what git must not hold.
//
// A JobSet takes part by the label trainyard.dev/trainjob. For each of them:
//
//  1. secret: with the annotation ssh-auth, make the missing key pair
//  2. trainjob: with the annotation trainjob-spec, make the TrainJob itself
//  3. status: Status computes what the TrainJob should say; write it if it differs
//  4. soft TTL: with the annotation soft-ttl-seconds, free a finished run's Jobs
//
// A TrainJob is written only if its managedBy hands it over; with any other
// value its own controller writes it, and two writers would fight for ever.
//
// What a tenant writes in labels and annotations decides nothing but these
// four: namespace and names come from the JobSet's own. What can't be done is
// said once in an Event, counted, and not tried again until something changes.
// No value of an annotation reaches the log.
//
// docs/mirror.md tells an operator the same.
package mirror
