// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package finding

// Rule is the stable id of one thing that can be found. docs/findings.md has a
// paragraph on each.
type Rule string

// What does not fit between a TrainJob and its runtime.
const (
	RuntimeMissing       Rule = "runtime-missing"        // the runtimeRef names nothing that is there
	UnknownKind          Rule = "unknown-kind"           // an object for the Trainer that no kind of it is
	RuntimeKind          Rule = "runtime-kind"           // the runtimeRef is of a kind that is no runtime
	RuntimeDeprecated    Rule = "runtime-deprecated"     // the runtime says that it goes away
	ReservedEnv          Rule = "reserved-env"           // the variable is set by a policy
	InitializerMissing   Rule = "initializer-missing"    // the runtime lacks what an initializer needs
	PatchTarget          Rule = "patch-target"           // a runtimePatch names a job or container that the runtime lacks
	PatchManager         Rule = "patch-manager"          // a runtimePatch's manager is no domain-prefixed path
	PatchEnv             Rule = "patch-env"              // a runtimePatch sets variables that belong in the TrainJob
	PatchMerge           Rule = "patch-merge"            // a runtimePatch cannot be merged into the template
	PatchReplaces        Rule = "patch-replaces"         // a runtimePatch drops what the runtime has in an atomic list
	UnreachablePeers     Rule = "unreachable-peers"      // pods that would not find each other
	NoJobs               Rule = "no-jobs"                // a runtime without a job to run
	RuntimeReplicas      Rule = "runtime-replicas"       // a step of the training with more than one replica
	RuntimeContainer     Rule = "runtime-container"      // a step of the training without its container
	AncestorLabel        Rule = "ancestor-label"         // a job that looks like a step but is not labelled as one
	SeveralTrainers      Rule = "several-trainers"       // two jobs are labelled as the trainer
	ClearedCommand       Rule = "cleared-command"        // an empty command or args clears the runtime's
	NoResources          Rule = "no-resources"           // nothing to derive the number of processes from
	PlainPython          Rule = "plain-python"           // several processes are started by a program that reads no PET_ variable
	EnvInjectionTarget   Rule = "env-injection-target"   // an envInjection target is not in the runtime
	NodeCount            Rule = "node-count"             // a count of nodes or processes that cannot run
	UnsupportedPolicy    Rule = "unsupported-policy"     // a policy that is not rendered yet
	TorchtuneModel       Rule = "torchtune-model"        // a model or recipe that torchtune does not have
	TorchtuneManagedArg  Rule = "torchtune-managed-arg"  // an argument that the runtime manages
	AmbiguousGPU         Rule = "ambiguous-gpu"          // several resources could be the GPU
	NoEffect             Rule = "no-effect"              // a setting that nothing reads
	EnvOrder             Rule = "env-order"              // a $(NAME) that stands before NAME
	VolcanoQueue         Rule = "volcano-queue"          // an empty Volcano queue name
	PriorityClassUnknown Rule = "priority-class-unknown" // a PriorityClass that is not in the package
	GangSplit            Rule = "gang-split"             // GPUs outside the gang
)

// What is wrong with the shape of an object.
const (
	UnknownField    Rule = "unknown-field"    // a field that the API does not have
	MissingField    Rule = "missing-field"    // a field that the API demands
	WrongType       Rule = "wrong-type"       // a value of another type than the field's
	InvalidValue    Rule = "invalid-value"    // a value that the field does not take
	InvalidMetadata Rule = "invalid-metadata" // a name, a label or an annotation that Kubernetes refuses
	DuplicateItem   Rule = "duplicate-item"   // two items of a list that have the same key
	OldForm         Rule = "old-form"         // what an older release of the API had
)

// What is wrong with the text, the package or the call.
const (
	YAMLSyntax      Rule = "yaml-syntax"      // a text that is no YAML, or YAML that no object can hold
	YAMLAmbiguous   Rule = "yaml-ambiguous"   // a string that kubectl takes for something else
	DuplicateKey    Rule = "duplicate-key"    // a key that stands twice in a mapping
	NotAnObject     Rule = "not-an-object"    // a document without apiVersion or kind
	DuplicateObject Rule = "duplicate-object" // two objects of one identity
	FunctionConfig  Rule = "function-config"  // an option that does not exist, or a value that it does not take
	NameTaken       Rule = "name-taken"       // an object that was not rendered has the name of one that is
	ApplySource     Rule = "apply-source"     // a TrainJob that cannot be applied beside its JobSet
	Internal        Rule = "internal"         // a fault in this program
)

// What became of earlier renderings.
const (
	FrozenRun      Rule = "frozen-run"      // a run that stays as it was rendered, though a new rendering would differ
	NotRendered    Rule = "not-rendered"    // a TrainJob that asks for no rendering
	Orphan         Rule = "orphan"          // a rendered object whose TrainJob is gone
	BuiltinRuntime Rule = "builtin-runtime" // rendered with a runtime that is in no file of the package
	OldKind        Rule = "old-kind"        // a training job of the Training Operator, which is not rendered
	Unrendered     Rule = "unrendered"      // a TrainJob without its JobSet
	StaleRendering Rule = "stale-rendering" // a JobSet that is older than its TrainJob
	ImmutableEdit  Rule = "immutable-edit"  // an edit that a run that exists can't take
	StaleAddress   Rule = "stale-address"   // an address, a gang mark or a name inside a JobSet that is another job's
)

// What would go wrong after the first apply.
const (
	QueueSuspend     Rule = "queue-suspend"     // suspend does not go with the queue name
	UnknownMark      Rule = "unknown-mark"      // an annotation of ours that says nothing
	QueueMark        Rule = "queue-mark"        // a mark that Kueue keeps for itself
	QueueTolerations Rule = "queue-tolerations" // tolerations that belong in the ResourceFlavor
	SuspendedAgain   Rule = "suspended-again"   // an applier suspends the run again and again
	DeletesRun       Rule = "deletes-run"       // an applier's option that deletes a running training
	TTLStripped      Rule = "ttl-stripped"      // a TTL that is left out, since the training would run again under it
	TTLKept          Rule = "ttl-kept"          // a TTL under which the training would run again
	DeadlinePerJob   Rule = "deadline-per-job"  // the deadline counts for each Job
	SSHSecret        Rule = "ssh-secret"        // a Secret that git must not hold
	NameInText       Rule = "name-in-text"      // a host name in a text that will not follow the run's name
	SpecTooLong      Rule = "spec-too-long"     // the TrainJob is too long for the mirror to make
)

// What a cluster would refuse of the rendered JobSet, its Jobs and its pods.
const (
	JobSetName       Rule = "jobset-name"        // a name from which no Job, pod or Service can be named
	JobSetNameLength Rule = "jobset-name-length" // the names made from it would be too long
	JobSetField      Rule = "jobset-field"       // a setting that JobSet does not take
	DependsOn        Rule = "depends-on"         // a job that waits for what never comes before it
	PolicyTarget     Rule = "policy-target"      // a success or failure policy on a job that is not there
	FailurePolicy    Rule = "failure-policy"     // a failure policy that JobSet does not take
	CountOverflow    Rule = "count-overflow"     // more pods than can be counted
	Coordinator      Rule = "coordinator"        // a coordinator that will not exist
	VolumeClaim      Rule = "volume-claim"       // a claim that cannot be made
	VolumeClaimMount Rule = "volume-claim-mount" // a claim that nothing mounts
	JobField         Rule = "job-field"          // a setting that the Job API does not take
	JobPolicy        Rule = "job-policy"         // a Job's success or failure policy that the Job API does not take
	LabelValue       Rule = "label-value"        // a label, annotation or finalizer that cannot be one
	PodRestartPolicy Rule = "pod-restart-policy" // a restart policy that a Job's pods cannot have
	PodContainer     Rule = "pod-container"      // a container that is not one: name, image, pull policy
	PodResources     Rule = "pod-resources"      // requests, limits and claims that contradict each other
	PodVolume        Rule = "pod-volume"         // a volume with no source, two, or a wrong one
	PodMount         Rule = "pod-mount"          // a mount of no volume, or of two at one path
	PodEnv           Rule = "pod-env"            // a variable with no source, two, or a wrong one
	PodPort          Rule = "pod-port"           // a port that is none, or is there twice
	PodProbe         Rule = "pod-probe"          // a probe or hook that cannot work
	PodSecurity      Rule = "pod-security"       // security settings that contradict each other
	PodScheduling    Rule = "pod-scheduling"     // affinity, tolerations, gates that cannot be
	PodNetwork       Rule = "pod-network"        // DNS settings and host names that cannot be
	PodField         Rule = "pod-field"          // another setting that the Pod API does not take
)
