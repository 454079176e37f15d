// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package marks names the labels and annotations by which the renderer, the
// mirror and a user speak to each other. docs/function-config.md explains them.
package marks

// Prefix begins each label and annotation of ours.
const Prefix = "trainyard.dev/"

// On rendered objects.
const (
	TrainJob       = "trainyard.dev/trainjob"         // label: the TrainJob's name
	Runtime        = "trainyard.dev/runtime"          // Kind/name of the runtime that was rendered
	SourceDigest   = "trainyard.dev/source-digest"    // of the TrainJob's spec and carried metadata
	SSHAuth        = "trainyard.dev/ssh-auth"         // "generate": the mirror makes the SSH Secret
	SoftTTLSeconds = "trainyard.dev/soft-ttl-seconds" // after which the mirror frees a finished run's Jobs
	TrainJobSpec   = "trainyard.dev/trainjob-spec"    // the TrainJob's spec as compact JSON, for the mirror
)

// On TrainJobs.
const (
	Render    = "trainyard.dev/render"    // "disabled": left alone, for the Trainer in the cluster
	Completed = "trainyard.dev/completed" // when the run ended: nothing is rendered for it, for ever
)

// MaxTrainJobSpec is how many bytes TrainJobSpec may have. Command and args that
// would make it longer are left out; the JobSet's container holds them too.
const MaxTrainJobSpec = 48 << 10

// RenderDisabled is the value of Render that leaves a TrainJob alone.
const RenderDisabled = "disabled"

// SSHAuthGenerate is the value of SSHAuth that asks the mirror for a key pair.
const SSHAuthGenerate = "generate"

// SSHAuthSecretSuffix follows the JobSet's name in the name of that Secret.
const SSHAuthSecretSuffix = "-mpi-ssh-auth" //nolint:gosec // a name, no secret

// HostfileSuffix follows the JobSet's name in the name of the ConfigMap with MPI's
// hosts.
const HostfileSuffix = "-mpi-hostfile"

// Of others.
const (
	ArgoHook      = "argocd.argoproj.io/hook"                     // annotation: Argo CD applies the object at some moment, or with Skip never
	Ancestor      = "trainer.kubeflow.org/trainjob-ancestor-step" // label of a Job template: the step it plays
	Support       = "trainer.kubeflow.org/support"                // label of a runtime
	QueueName     = "kueue.x-k8s.io/queue-name"
	KueuePrefix   = "kueue.x-k8s.io/"
	MultiKueue    = "kueue.x-k8s.io/multikueue"                // managedBy: the Trainer keeps its hands off
	TrainerItself = "trainer.kubeflow.org/trainjob-controller" // managedBy: the default
	VolcanoQueue  = "scheduling.volcano.sh/queue-name"         // annotation of the JobSet
	VolcanoGroup  = "scheduling.k8s.io/group-name"             // annotation of a pod
	CoschedGroup  = "scheduling.x-k8s.io/pod-group"            // label of a pod
)
