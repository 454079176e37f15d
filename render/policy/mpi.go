// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/finding"
)

// MPI has a launcher that starts the processes over SSH on the hosts that a
// hostfile names, so many slots on each. Every pod needs one key pair, which
// comes from a Secret; the hostfile comes from a ConfigMap beside the JobSet.
// The launcher can be one of the nodes itself. Source: Open MPI's ORTE, mpirun.

const (
	mpiHostfileVar = "OMPI_MCA_orte_default_hostfile"
	mpiKeepNames   = "OMPI_MCA_orte_keep_fqdn_hostnames"
	mpiSlotsVar    = "OMPI_MCA_orte_set_default_slots"
	mpiSSHArgs     = "OMPI_MCA_plm_rsh_args"

	sshVolume      = "mpi-ssh-auth"
	hostfileVolume = "mpi-hostfile"
	hostfileDir    = "/etc/mpi"
	hostfileKey    = "hostfile"
)

var mpi = Policy{
	Name:    "mpi",
	Applies: func(j Job) bool { return j.Framework == MPI },
	Check: func(j Job) []finding.Finding {
		return slices.Concat(
			reserved(j, mpiHostfileVar, mpiKeepNames, mpiSlotsVar, mpiSSHArgs),
			launcherAndNode(j), mpiNames(j), oneNodeRunsTwo(j), replacedMounts(j), slotsFromAmbiguousGPUs(j))
	},
	Layer: func(j Job) Layer {
		layer := Layer{Jobs: map[string]JobLayer{}, Companions: []runtime.Object{hostfile(j)}}
		for _, r := range j.Spec.ReplicatedJobs {
			layer.Jobs[r.Name] = mpiJob(j, r)
		}
		return layer
	},
}

func mpiJob(j Job, r jobset.ReplicatedJob) JobLayer {
	l := JobLayer{Pods: new(mpiPods(j, r))}
	if r.Name != Node && r.Name != Launcher {
		return l
	}
	c := ContainerLayer{VolumeMounts: []corev1.VolumeMount{{Name: sshVolume, MountPath: *j.MLPolicy.MPI.SSHAuthMountPath}}}
	l.Volumes = []corev1.Volume{sshKeys(j)}
	if r.Name == Launcher {
		l.Volumes = append(l.Volumes, hostfileFrom(j))
		c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: hostfileVolume, MountPath: hostfileDir})
		c.Env = []corev1.EnvVar{
			value(mpiHostfileVar, hostfileDir+"/"+hostfileKey),
			value(mpiKeepNames, "true"),
			value(mpiSlotsVar, mpiSlots(j)),
			value(mpiSSHArgs, "-o ConnectionAttempts=10"),
		}
	}
	if _, ok := Container(Pod(r), Node); ok {
		l.Containers = map[string]ContainerLayer{Node: c}
	}
	return l
}

// mpiPods: the workers are scaled, whoever starts them is one pod.
func mpiPods(j Job, r jobset.ReplicatedJob) int32 {
	switch {
	case r.Name == Node && j.LauncherIsNode():
		return max(j.Nodes-1, 1)
	case r.Name == Node:
		return j.Nodes
	case Step(r) == StepTrainer:
		return 1
	default:
		return Pods(r)
	}
}

// mpiSlots are the processes of one node. A runtime that says 1 leaves it to
// the GPUs.
func mpiSlots(j Job) int64 {
	if j.Trainer.NumProcPerNode != nil {
		return int64(*j.Trainer.NumProcPerNode)
	}
	if n := *j.MLPolicy.MPI.NumProcPerNode; n != 1 {
		return int64(n)
	}
	return max(j.GPUsPerNode(), 1)
}

// hostfile is the ConfigMap with a line for each host that runs processes.
func hostfile(j Job) *corev1.ConfigMap {
	var lines strings.Builder
	for _, r := range j.Spec.ReplicatedJobs {
		if r.Name == Node || r.Name == Launcher && j.LauncherIsNode() {
			for _, host := range j.Hosts(r, mpiPods(j, r)) {
				fmt.Fprintf(&lines, "%s slots=%d\n", host, mpiSlots(j))
			}
		}
	}
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Name: hostfileName(j), Namespace: j.Namespace},
		Data:       map[string]string{hostfileKey: lines.String()},
	}
}

func hostfileName(j Job) string { return j.Name + marks.HostfileSuffix }

// SSHSecret is the name of the Secret that holds an MPI job's key pair.
func (j Job) SSHSecret() string {
	if j.SSHAuthSecret != "" {
		return j.SSHAuthSecret
	}
	return j.Name + marks.SSHAuthSecretSuffix
}

func sshKeys(j Job) corev1.Volume {
	const public = "ssh-publickey"
	return corev1.Volume{Name: sshVolume, VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{
		SecretName:  j.SSHSecret(),
		DefaultMode: new(int32(0o400)),
		Items: []corev1.KeyToPath{
			{Key: corev1.SSHAuthPrivateKey, Path: "id_rsa", Mode: new(int32(0o640))},
			{Key: public, Path: "id_rsa.pub", Mode: new(int32(0o644))},
			{Key: public, Path: "authorized_keys", Mode: new(int32(0o644))},
		},
	}}}
}

func hostfileFrom(j Job) corev1.Volume {
	return corev1.Volume{Name: hostfileVolume, VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
		LocalObjectReference: corev1.LocalObjectReference{Name: hostfileName(j)},
		Items:                []corev1.KeyToPath{{Key: hostfileKey, Path: hostfileKey, Mode: new(int32(0o444))}},
	}}}
}
