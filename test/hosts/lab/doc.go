// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package lab sets up what the hosts' tests need: the programs on the PATH, and
// a container engine of its own that holds the images. It pulls nothing.
package lab
