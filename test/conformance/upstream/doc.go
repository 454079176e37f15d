// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package upstream is the judge: it runs the Trainer itself on one TrainJob.
//
// An object takes the road it takes in a cluster. The API server prunes what
// its CRD does not know, fills in the CRD's defaults, and checks the OpenAPI
// schema, the list types and the CEL rules (resource.go). The Trainer's
// webhooks then judge the runtime and the TrainJob, and its runtime package
// builds the objects that its controller would apply (trainer.go). The client
// that the Trainer talks to is a map of the case's objects (memory.go).
//
// Nothing here knows of the renderer that is judged.
package upstream
