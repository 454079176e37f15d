// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"reflect"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// metadata are the fields of an object's metadata that reach a cluster through
// a JobSet.
var metadata = map[string]bool{"Name": true, "Labels": true, "Annotations": true, "Finalizers": true}

// unread are the fields for which render/accept does not answer: what is no
// part of a template, and what is Windows'.
var unread = map[string]bool{
	"TypeMeta": true, "Status": true, "EphemeralContainers": true,
	"WindowsOptions": true, "OS": true,
}

var numbers = []int{-1, 0, 1, 1, 2, 2, 3, 4, 100, 101, 256, 511, 512, 3600, 29500, 65535, 65536, 100_000, 100_001, 1<<31 - 1}

var quantities = []string{"-1", "0", "1", "2", "4", "500m", "1500m", "1m", "0.0001", "1Gi", "4Mi", "3Mi", "1Ki", "1e3", "100n"}

var ports = []string{"0", "1", "8080", "65536", "-1", "http", "Not-A-Port", "", "port-name-that-is-too-long"}

// words are values for a field of plain text; most are names that the JobSets
// of testdata use, so that references often hold.
var words = []string{
	"", "a", "node", "node", "logger", "scratch", "initializer", "settings", "nic", "first",
	"my-run", "dataset-initializer", "example.com/a", "example.com", "nvidia.com/gpu", "requests.example.com/a",
	"cpu", "memory", "gpu", "storage", "hugepages-2Mi", "hugepages-x", "kubernetes.io/arch", "batch.kubernetes.io/job-name",
	"Upper", "under_score", "with space", " padded ", "-dash", "dash-", "a.b", "a/b/c", "ünïcode", "=", "1", "0.0.0.0", "010.0.0.1", "::1", "10.0.0.1:80",
	"/abs/path", "rel/path", "../up", "..data", "a/../b", "/a/../b", "..",
	"metadata.name", "metadata.labels", "metadata.labels['app']", "metadata.annotations['A b']", "status.podIP", "spec.host", "spec.schedulerName",
	"limits.cpu", "requests.memory", "limits.hugepages-2Mi", "limits.gpu",
	"runtime/default", "localhost/a", "localhost/../a", "unconfined", "docker/default",
	"net.ipv4.tcp_syncookies", "kernel.msgmax", "kernel/shm", "Net.bad",
	"-1", "0,2-3", "0-1", "1-", "3,1", "BackoffLimitExceeded", "DeadlineExceeded", "orphan", "v1", "v2",
	"jobset.sigs.k8s.io/mine", "kueue.x-k8s.io/multikueue",
	strings.Repeat("a", 40), strings.Repeat("b", 63), strings.Repeat("c", 64), strings.Repeat("d", 254),
}

// podMarks are annotations and labels that the API itself reads, each with
// values for it.
var podMarks = [][]string{
	{"container.apparmor.security.beta.kubernetes.io/node", "unconfined", "runtime/default", "localhost/train", "bad"},
	{"container.apparmor.security.beta.kubernetes.io/other", "unconfined"},
	{"container.seccomp.security.alpha.kubernetes.io/node", "unconfined", "runtime/default", "localhost/profiles/train.json", "bad"},
	{"seccomp.security.alpha.kubernetes.io/pod", "unconfined", "docker/default", "localhost/../a", "bad"},
	{"controller.kubernetes.io/pod-deletion-cost", "+1", "-1", "007", "0", "", "99999999999", "-"},
	{"kubernetes.io/config.mirror", "a"},
	{"scheduler.alpha.kubernetes.io/tolerations", `[{"key":"a","operator":"Exists"}]`, `[{"operator":"Equal"}]`, "[", ""},
	{"batch.kubernetes.io/job-name", "my-run-node-0", "other"},
	{"controller-uid", "other"},
	{"app", "train", "no label"},
}

// stringsFor are values for a string of the type: those that its constants
// have, one that none has, and none.
func stringsFor(t reflect.Type) []string {
	if values, ok := enums[t]; ok {
		return append([]string{"", "Nonsense"}, values...)
	}
	return words
}

var enums = map[reflect.Type][]string{
	of[corev1.PullPolicy]():                              {"Always", "IfNotPresent", "Never"},
	of[corev1.RestartPolicy]():                           {"Always", "OnFailure", "Never"},
	of[corev1.ContainerRestartPolicy]():                  {"Always", "OnFailure", "Never"},
	of[corev1.ContainerRestartRuleAction]():              {"Restart", "RestartAllContainers"},
	of[corev1.ContainerRestartRuleOnExitCodesOperator](): {"In", "NotIn"},
	of[corev1.DNSPolicy]():                               {"ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"},
	of[corev1.Protocol]():                                {"TCP", "UDP", "SCTP"},
	of[corev1.URIScheme]():                               {"HTTP", "HTTPS"},
	of[corev1.TerminationMessagePolicy]():                {"File", "FallbackToLogsOnError"},
	of[corev1.TaintEffect]():                             {"NoSchedule", "PreferNoSchedule", "NoExecute"},
	of[corev1.TolerationOperator]():                      {"Exists", "Equal", "Lt", "Gt"},
	of[corev1.NodeSelectorOperator]():                    {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"},
	of[metav1.LabelSelectorOperator]():                   {"In", "NotIn", "Exists", "DoesNotExist"},
	of[corev1.UnsatisfiableConstraintAction]():           {"DoNotSchedule", "ScheduleAnyway"},
	of[corev1.NodeInclusionPolicy]():                     {"Honor", "Ignore"},
	of[corev1.PreemptionPolicy]():                        {"PreemptLowerPriority", "Never"},
	of[corev1.MountPropagationMode]():                    {"None", "HostToContainer", "Bidirectional"},
	of[corev1.RecursiveReadOnlyMode]():                   {"Disabled", "IfPossible", "Enabled"},
	of[corev1.HostPathType]():                            {"Directory", "File", "Socket"},
	of[corev1.StorageMedium]():                           {"Memory", "HugePages"},
	of[corev1.PersistentVolumeAccessMode]():              {"ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"},
	of[corev1.PersistentVolumeMode]():                    {"Block", "Filesystem"},
	of[corev1.AzureDataDiskCachingMode]():                {"None", "ReadOnly", "ReadWrite"},
	of[corev1.AzureDataDiskKind]():                       {"Shared", "Dedicated", "Managed"},
	of[corev1.SeccompProfileType]():                      {"RuntimeDefault", "Localhost", "Unconfined"},
	of[corev1.AppArmorProfileType]():                     {"RuntimeDefault", "Localhost", "Unconfined"},
	of[corev1.ProcMountType]():                           {"Default", "Unmasked"},
	of[corev1.PodFSGroupChangePolicy]():                  {"Always", "OnRootMismatch"},
	of[corev1.SupplementalGroupsPolicy]():                {"Merge", "Strict"},
	of[corev1.PodSELinuxChangePolicy]():                  {"Recursive", "MountOption"},
	of[corev1.ResourceResizeRestartPolicy]():             {"NotRequired", "RestartContainer"},
	of[corev1.Capability]():                              {"CAP_SYS_ADMIN", "SYS_ADMIN", "ALL"},
	of[corev1.ConditionStatus]():                         {"True", "False", "Unknown"},
	of[corev1.ResourceName]():                            {"cpu", "memory", "ephemeral-storage", "storage", "gpu", "nvidia.com/gpu", "hugepages-2Mi", "requests.cpu", "requests.a.com/b", "kubernetes.io/x", "a.com/b c", "pods"},
	of[batchv1.CompletionMode]():                         {"Indexed", "NonIndexed"},
	of[batchv1.PodReplacementPolicy]():                   {"Failed", "TerminatingOrFailed"},
	of[batchv1.PodFailurePolicyAction]():                 {"FailJob", "FailIndex", "Ignore", "Count"},
	of[batchv1.PodFailurePolicyOnExitCodesOperator]():    {"In", "NotIn"},
	of[jobset.Operator]():                                {"All", "Any"},
	of[jobset.FailurePolicyAction]():                     {"FailJobSet", "RestartJobSet", "RestartJobSetAndIgnoreMaxRestarts", "RestartJob", "RestartJobAndIgnoreMaxRestarts"},
	of[jobset.JobSetRestartStrategy]():                   {"Recreate", "BlockingRecreate", "InPlaceRestart"},
	of[jobset.DependsOnStatus]():                         {"Ready", "Complete"},
	of[jobset.StartupPolicyOptions]():                    {"AnyOrder", "InOrder"},
	of[jobset.RetentionPolicyType]():                     {"Delete", "Retain"},
}

func of[T any]() reflect.Type { return reflect.TypeFor[T]() }
