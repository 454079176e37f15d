// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package render joins a TrainJob to its runtime: the core of Trainyard.
package render
