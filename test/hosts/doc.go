// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package hosts runs render-trainjob in the programs that people run it in: the
// real kustomize, the real kpt, and the image in a real container engine.
//
// testdata holds a folder for each layout. given/ is copied to an empty folder,
// the script run is run there, and what comes of it is held against the files
// beside it:
//
//	stdout.yaml  what the script printed
//	stderr.txt   what it said, without durations
//	wanted/      the files that it made or changed
//
// What is wanted comes from the hosts themselves, so make golden, which needs
// none of them, does not reach it: after a change of a message or of what is
// rendered, run make golden-hosts where they are installed, or make hosts tells
// what is behind.
//
// Each layout is run in two forms, which must end alike: with the function as a
// program, and with the function as an image.
package hosts
