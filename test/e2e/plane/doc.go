// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package plane runs a real control plane as plain processes on 127.0.0.1:
// etcd, the API server, the controller manager, the scheduler, KWOK for nodes
// and pods, and the controllers of JobSet, Kueue and the Trainer with their
// webhooks. No container and no root is needed.
//
// The programs come from the Go module in ../tools, which pins every version.
// They are built once and kept in the user's cache folder under a key made of
// that module's go.mod and go.sum.
//
// StartFlux adds Flux's kustomize-controller, from the module ../tools/flux: it
// asks for other versions than the rest.
//
// Pods run nowhere: KWOK reports each Ready at once and Succeeded a few seconds
// later. Hold and Fail change that.
package plane
