// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/trainyard/trainyard/render/finding"
)

// XGBoost's workers meet at a tracker, which the first of them runs: they are
// told its host and port, their own number, and how many workers there are, one
// for each GPU or one a node. Source: the Rabit tracker of dmlc.

const (
	xgboostTracker = "DMLC_TRACKER_URI"
	xgboostPort    = "DMLC_TRACKER_PORT"
	xgboostTask    = "DMLC_TASK_ID"
	xgboostWorkers = "DMLC_NUM_WORKER"
)

var xgboost = Policy{
	Name:    "xgboost",
	Applies: func(j Job) bool { return j.Framework == XGBoost },
	Check: func(j Job) []finding.Finding {
		return append(reserved(j, xgboostTracker, xgboostPort, xgboostTask, xgboostWorkers), ambiguousGPUs(j, oneGPUName)...)
	},
	Layer: func(j Job) Layer {
		return onTrainer(j, ContainerLayer{
			Env: []corev1.EnvVar{
				value(xgboostTracker, j.Leader()),
				value(xgboostPort, trainerPort),
				podIndex(xgboostTask),
				value(xgboostWorkers, int64(j.Nodes)*max(j.GPUsPerNode(), 1)),
			},
			Ports: []corev1.ContainerPort{{ContainerPort: trainerPort}},
		})
	},
}
