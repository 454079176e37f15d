// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package e2e shows what becomes of rendered objects on a real control plane:
// the API server with the controllers and webhooks of JobSet, Kueue and the
// Trainer, and the engines of the appliers. It is all tests.
package e2e
