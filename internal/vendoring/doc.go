// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package vendoring takes runtimes from where they are, a cluster or a chart,
// to where a renderer can find them, in git.
//
// A runtime in git is as a person would write it: without status, without what
// servers and installers mark it with, without the defaults that an API server
// fills in. Two runtimes are the same if they are so in this form.
package vendoring
