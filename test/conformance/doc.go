// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package conformance compares the renderer with the Trainer itself.
package conformance
