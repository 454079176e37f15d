// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package difference

import "slices"

// Rules are all the ways in which the renderer differs from the Trainer, in
// the order in which they are applied.
var Rules = slices.Concat(givenRules, madeRules, refusalRules, forgivingRules, otherRules)

// Section is the rules of one kind.
type Section struct {
	Title string
	Rules []Rule
}

// Sections are the rules as a reader meets them.
var Sections = []Section{
	{"Counted or wired otherwise", givenRules},
	{"Written otherwise", madeRules},
	{"Refused here", refusalRules},
	{"Taken here", forgivingRules},
	{"Order, packages and the cluster", otherRules},
}

// givenRules say what the Trainer would need to be given to do the same.
var givenRules = []Rule{
	{
		Name:    "multikueue-rendered",
		Trainer: "renders nothing for a TrainJob with `managedBy: kueue.x-k8s.io/multikueue`",
		Here:    "it is rendered; the JobSet carries no managedBy",
		Reason:  "nobody else would render it, and Kueue sets managedBy on the JobSet where a queue dispatches to other clusters",
		Applies: managedElsewhere, Given: manageHere,
	},
	{
		Name:    "patched-source-replaces",
		Trainer: "a runtimePatch that gives a volume or a variable another source leaves the old one beside it",
		Here:    "the new source takes the old one's place",
		Reason:  "the Job and Pod APIs refuse two sources, so the job could never run",
		Applies: patchesSources, Given: giveLastSources,
	},
	{
		Name:    "framework-without-trainer",
		Trainer: "a Torch, JAX or XGBoost TrainJob without `spec.trainer` gets none of the framework's variables and no port",
		Here:    "they are always laid",
		Reason:  "the processes would not find each other",
		Applies: withoutTrainer, Given: giveTrainer,
	},
	{
		Name:    "mpi-nodes",
		Trainer: "`mlPolicy.numNodes` of an MPI runtime is the number of launchers",
		Here:    "the launcher is one pod, and `mlPolicy.numNodes` above 1 is the number of nodes that run processes",
		Reason:  "two launchers would start the training twice",
		Applies: launchersCounted, Given: giveWorkers,
	},
	{
		Name:    "hostfile-replicas",
		Trainer: "MPI's hostfile names the hosts of all replicas of a job that plays a step, of which the JobSet then gets one",
		Here:    "it names the hosts that there are",
		Reason:  "mpirun would wait for the others for ever",
		Applies: severalReplicas, Given: giveOneReplica,
	},
	{
		Name:    "torchtune-nodes",
		Trainer: "judges torchtune's recipe by the TrainJob's number of nodes and renders it by the runtime's",
		Here:    "both by the number of nodes that run",
		Reason:  "a recipe for one node does not run on several",
		Applies: judgedByOwnNodes, Given: giveRuntimeNodes, Judges: true,
	},
	{
		Name:    "merged-resources-counted",
		Trainer: "counts GPUs and CPUs in the TrainJob's resources alone, where it gives any",
		Here:    "counts those that the container gets: the runtime's with the TrainJob's merged in",
		Reason:  "a TrainJob that sets only memory would hide the runtime's GPUs",
		Applies: countsResources, Given: giveMergedResources, Counts: true, Judges: true,
	},
	{
		Name:    "gpu-names",
		Trainer: "of several resources with gpu in their names a random one counts",
		Here:    "Torch asks whether one is above 0; where a number is needed those that end in /gpu are added up, and without such the first by name counts; a warning says so",
		Reason:  "the same input gives the same output",
		Applies: countsSeveralGPUNames, Given: giveOneGPUName, Counts: true, Random: true, Judges: true,
	},
}

// madeRules say how what the Trainer made is changed.
var madeRules = []Rule{
	{
		Name:    "no-owners",
		Trainer: "every object is owned by the TrainJob",
		Here:    "no owner references; a label names the TrainJob",
		Reason:  "outside a cluster a TrainJob has no UID",
		Made:    withoutOwners, Everywhere: true,
	},
	{
		Name:    "no-keys",
		Trainer: "makes an SSH key pair for MPI while it renders",
		Here:    "names the Secret, which the mirror or somebody else makes",
		Reason:  "what is rendered lands in git",
		Made:    withoutSecrets, Everywhere: true,
	},
	{
		Name:    "resources-without-policy",
		Trainer: "ignores `resourcesPerNode` where the runtime has no mlPolicy",
		Here:    "it is applied, with a warning",
		Reason:  "what the user wrote is not dropped in silence",
		Made:    resourcesKept,
	},
	{
		Name:    "claims-kept",
		Trainer: "resource claims are dropped once `resourcesPerNode` is set",
		Here:    "they stay",
		Reason:  "what the user wrote is not dropped in silence",
		Made:    claimsKept,
	},
	{
		Name:    "ports-kept",
		Trainer: "two unnamed ports count as the same, and a named 29500 loses its name",
		Here:    "ports are the same by number, or by a name that both have, and one that is there stays as it is",
		Reason:  "the runtime's ports would be lost or doubled, and probes by name would fail",
		Made:    portsKept,
	},
	{
		Name:    "addresses",
		Trainer: "addresses name the job `node` and the TrainJob as the subdomain, whatever the runtime says",
		Here:    "the trainer job's own name, and `network.subdomain`",
		Reason:  "no pod would have the address",
		Made:    addresses,
	},
	{
		Name:    "sources-kept",
		Trainer: "loses `fileKeyRef` and `fieldRef.apiVersion` of a TrainJob's variables",
		Here:    "they are kept",
		Reason:  "what the user wrote is not dropped in silence",
		Made:    sourcesKept,
	},
	{
		Name:    "worker-count",
		Trainer: "counts XGBoost's workers, Torch's processes and MPI's slots in 32 bits, so that 2147483648 are -2147483648",
		Here:    "they are counted in 64",
		Reason:  "a negative number of workers means nothing",
		Made:    countedInFull, Elsewhere: "a TrainJob with `nvidia.com/gpu: 2Gi`, or with `cpu: 2Gi`",
	},
	{
		Name:    "gang",
		Trainer: "a PodGroup counts all pods of the JobSet, without replicas, and reads no limits as requests",
		Here:    "the gang is the jobs that start together with the training pods; they alone carry its mark and count, with replicas, and a limit without a request counts as the request",
		Reason:  "a gang with pods that start later never forms, and one without limits reserves no GPU",
		Made:    gang,
	},
	{
		Name:    "trainjob-metadata",
		Trainer: "a TrainJob's labels and annotations stay on the TrainJob",
		Here:    "its labels, and what Kueue and the appliers read of its annotations, go to the JobSet",
		Reason:  "the JobSet is what is applied",
		Made:    trainJobMetadata,
	},
	{
		Name:    "no-managed-by",
		Trainer: "a runtime's `managedBy` goes to the JobSet",
		Here:    "the JobSet carries no managedBy",
		Reason:  "Kueue sets it where a queue dispatches to other clusters",
		Made:    managedByLeft,
	},
	{
		Name:    "suspend",
		Trainer: "writes `suspend` always",
		Here:    "writes it only when it is true and no queue holds the job",
		Reason:  "an applier that owns the field starts a queued job, or suspends a running one",
		Made:    suspendLeft, Everywhere: true,
	},
	{
		Name:    "deadline",
		Trainer: "deletes the JobSet when `activeDeadlineSeconds` are over",
		Here:    "each Job has the deadline, and a failure policy's first rule says that it fails the JobSet",
		Reason:  "a JobSet that is deleted is applied again, and the training runs again",
		Made:    deadlineOnJobs,
	},
	{
		Name:    "ttl",
		Trainer: "`ttlSecondsAfterFinished` goes to the JobSet and its Jobs",
		Here:    "it becomes an annotation that the mirror reads",
		Reason:  "a JobSet that is deleted is applied again, and the training runs again",
		Made:    ttlLeft,
	},
	{
		Name:    "node-selector",
		Trainer: "nodeSelector stays as it is",
		Here:    "in a queued job it becomes node affinity",
		Reason:  "Kueue writes its own nodeSelector, and two owners of it are refused",
		Made:    selectorAsAffinity,
	},
	{
		Name:    "applier-profile",
		Trainer: "writes nothing for Argo CD and Flux",
		Here:    "the annotations that an applier needs, where the object needs them",
		Reason:  "the Trainer's output is never applied by them",
		Made:    profiles,
	},
}

// refusalRules say what is refused here that the Trainer takes.
var refusalRules = []Rule{
	{
		Name:    "counts-below-one",
		Trainer: "takes any number of nodes and processes, and `replicas: 0` becomes 1",
		Here:    "below 1 is an error",
		Reason:  "nothing would run, or Kubernetes would refuse it, or more than was asked for",
		Refuses: tooFew,
	},
	{
		Name:    "patch-targets",
		Trainer: "takes a runtimePatch of a job or container that the runtime does not have, and adds one without an image",
		Here:    "is an error",
		Reason:  "JobSet or the Pod API refuses the result",
		Refuses: unknownTarget,
	},
	{
		Name:    "flux",
		Trainer: "renders `mlPolicy.flux`, and panics for want of `numNodes`",
		Here:    "is an error until it is supported",
		Reason:  "its key is a function of a public value, and half of it would hang",
		Refuses: fluxPolicy,
	},
	{
		Name:    "queue",
		Trainer: "takes `suspend: false` beside a queue name, and Kueue's own marks",
		Here:    "is an error",
		Reason:  "the job would start before it is admitted",
		Refuses: queueRules,
	},
	{
		Name:    "marks",
		Trainer: "reads no annotation of trainyard.dev",
		Here:    "one that does not exist, or has a value that means nothing, is an error",
		Reason:  "a misspelt mark would do nothing in silence",
		Refuses: unknownMark, Elsewhere: "testdata/fn",
	},
	{
		Name:    "mpi-implementation",
		Trainer: "takes an empty `mpiImplementation`, and fails to render once a container needs it",
		Here:    "is an error at once",
		Reason:  "the hostfile would be empty where it does not fail",
		Refuses: unknownImplementation,
	},
	{
		Name:    "name-taken",
		Trainer: "a JobSet, ConfigMap or PodGroup of the same name is left alone or overwritten",
		Here:    "one in the list that is not ours is an error",
		Reason:  "nobody's object is overwritten in silence",
		Refuses: nameTaken, Elsewhere: "testdata/fn",
	},
	{
		Name:    "no-jobs",
		Trainer: "takes a runtime without replicated jobs",
		Here:    "is an error",
		Reason:  "a JobSet without jobs never runs",
		Refuses: withoutJobs,
	},
	{
		Name:    "cluster-rules",
		Trainer: "renders what JobSet's webhook, the Job API or the Pod API refuse afterwards",
		Here:    "is an error, at the field that set it",
		Reason:  "the user hears of it before anything is applied",
		Refuses: refusedLater,
	},
}

// forgivingRules say what is taken here that kubectl or the Trainer refuse.
var forgivingRules = []Rule{
	{
		Name:     "null-fields",
		Trainer:  "kubectl refuses a field that nobody knows also where its value is null, and a null label becomes an empty one",
		Here:     "null stands for a field that is not there",
		Reason:   "programs write null for what is not set, and nothing is lost",
		Forgives: isNull,
	},
}

// otherRules are seen in the order of lists, or not in one rendering at all.
var otherRules = []Rule{
	{
		Name:     "order-of-variables",
		Trainer:  "XGBoost's variables come in a varying order, and Torch puts the user's before its own",
		Here:     "the runtime's, then the framework's, then the TrainJob's",
		Reason:   "the same input gives the same output, and a user's `$(PET_NNODES)` finds its value",
		Ordering: true, Everywhere: true,
		Elsewhere: "each case of Torch or XGBoost with variables of its own",
	},
	{
		Name:      "yaml-words",
		Trainer:   "kubectl refuses an unquoted `yes` or `on` in a string field",
		Here:      "it is rendered as the string that was written, with a warning",
		Reason:    "kustomize and kpt read YAML 1.2, where it is a string",
		Elsewhere: "testdata/fn",
	},
	{
		Name:      "snapshot",
		Trainer:   "keeps a snapshot of the runtime in a ConfigMap, so that a change of it never reaches a run that exists",
		Here:      "a rendered run stays as it is while its TrainJob is not edited; there is no ConfigMap",
		Reason:    "git holds the rendered run",
		Elsewhere: "testdata/fn",
	},
	{
		Name:      "priority-classes",
		Trainer:   "refuses a Volcano job whose PriorityClass is not in the cluster",
		Here:      "one that is not among the files is a warning",
		Reason:    "offline nobody knows what the cluster holds",
		Elsewhere: "the verdicts of this comparison",
	},
}
