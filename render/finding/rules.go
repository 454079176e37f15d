// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package finding

// Rule is the stable id of one thing that can be found. docs/findings.md has a
// paragraph on each.
type Rule string

// What does not fit between a TrainJob and its runtime.
const (
	RuntimeMissing       Rule = "runtime-missing"        // the runtimeRef names nothing that is there
	RuntimeKind          Rule = "runtime-kind"           // the runtimeRef is of a kind that is no runtime
	RuntimeDeprecated    Rule = "runtime-deprecated"     // the runtime says that it goes away
	ReservedEnv          Rule = "reserved-env"           // the variable is set by a policy
	InitializerMissing   Rule = "initializer-missing"    // the runtime lacks what an initializer needs
	PatchTarget          Rule = "patch-target"           // a runtimePatch names a job or container that the runtime lacks
	PatchManager         Rule = "patch-manager"          // a runtimePatch's manager is no domain-prefixed path
	PatchEnv             Rule = "patch-env"              // a runtimePatch sets variables that belong in the TrainJob
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
