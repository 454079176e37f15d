// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

// Options are the choices of the functionConfig that shape a JobSet. The zero
// value is the default of each.
type Options struct {
	Kueue           Kueue
	NameSuffix      NameSuffix
	TTL             TTL
	Mirror          Mirror
	Profile         Profile
	SSHAuthSecret   string   // an existing Secret for MPI; empty: the mirror makes one
	PriorityClasses []string // names that are in the package
	Explain         bool     // fill Result.Sources
}

// Kueue says which JobSets are queued.
type Kueue string

// Queued are: those with a queue name; all; none.
const (
	KueueAuto   Kueue = ""
	KueueAlways Kueue = "Always"
	KueueNever  Kueue = "Never"
)

// NameSuffix says what follows the TrainJob's name in the JobSet's.
type NameSuffix string

// Nothing, or eight hex digits over what is immutable.
const (
	NameSuffixNone        NameSuffix = ""
	NameSuffixContentHash NameSuffix = "ContentHash"
)

// TTL says what becomes of ttlSecondsAfterFinished.
type TTL string

// It becomes an annotation for the mirror, or stays.
const (
	TTLStrip TTL = ""
	TTLKeep  TTL = "Keep"
)

// Mirror says whether the mirror makes the TrainJob from the JobSet.
type Mirror string

// It does not, or it does.
const (
	MirrorNone   Mirror = ""
	MirrorCreate Mirror = "Create"
)

// Profile names the applier for which annotations are added.
type Profile string

// Every applier, one, or none.
const (
	ProfileAll    Profile = ""
	ProfileArgoCD Profile = "ArgoCD"
	ProfileFlux   Profile = "Flux"
	ProfileNone   Profile = "None"
)
