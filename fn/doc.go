// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package fn is the KRM function: a ResourceList in, a ResourceList out.
//
// Read are the TrainJobs, TrainingRuntimes, ClusterTrainingRuntimes and
// PriorityClasses among the items, also those inside a List. Added are, for
// each TrainJob, a JobSet and what must stand beside it. An object that was
// rendered before is replaced in its place; one that is no longer rendered is
// removed. A run whose TrainJob did not change keeps its bytes. Every other
// item passes through untouched.
//
// What is wrong is reported as findings. If one of them is an error, the items
// come out as they went in.
//
//	Read       items into a package: what is a source, what was rendered before
//	Transform  each TrainJob: judge, decode, resolve its runtime, render, compare
//	           with the earlier rendering; then place, prune, keep or drop
//	Run        the same on the bytes of a ResourceList
//	Process    the same for those who embed the function by the function SDK
package fn
