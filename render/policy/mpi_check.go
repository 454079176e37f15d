// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/trainyard/trainyard/render/finding"
)

// launcherAndNode: with the launcher as one of several nodes both jobs must be
// there.
func launcherAndNode(j Job) []finding.Finding {
	_, launcher := j.Replicated(Launcher)
	_, node := j.Replicated(Node)
	asked := j.Trainer.NumNodes
	if asked == nil || *asked < 2 || !j.LauncherIsNode() || launcher && node {
		return nil
	}
	return []finding.Finding{finding.Errorf(finding.NodeCount, "spec.trainer.numNodes",
		"must be 1: it is %d, but the runtime counts its launcher as a node and lacks a job called launcher or one called node; add it to the runtime", *asked)}
}

// mpiNames: MPI is wired by name, and a runtime with other names gets nothing.
func mpiNames(j Job) []finding.Finding {
	var found []finding.Finding
	if _, ok := j.Replicated(Node); !ok {
		found = append(found, finding.Warningf(finding.NoEffect, "spec.runtimeRef",
			"no job of the runtime is called node, so the hostfile names no workers and nothing scales them; call the job of workers node"))
	}
	for _, name := range []string{Node, Launcher} {
		r, there := j.Replicated(name)
		if _, wired := Container(Pod(r), Node); there && !wired {
			found = append(found, finding.Warningf(finding.NoEffect, "spec.runtimeRef",
				"the job %s of the runtime has no container called node, so no container gets the SSH keys; call it node", name))
		}
	}
	return found
}

// oneNodeRunsTwo: the launcher counts as a node, and there is always a worker.
func oneNodeRunsTwo(j Job) []finding.Finding {
	_, node := j.Replicated(Node)
	asked := j.Trainer.NumNodes
	if asked == nil || *asked != 1 || !j.LauncherIsNode() || !node {
		return nil
	}
	return []finding.Finding{finding.Warningf(finding.NodeCount, "spec.trainer.numNodes",
		"numNodes is 1, but two nodes run: the launcher and one worker, as under the Trainer; ask for 2, or use a runtime without a job called node")}
}

// replacedMounts: the SSH keys and the hostfile go where the runtime may mount
// something of its own.
func replacedMounts(j Job) []finding.Finding {
	var found []finding.Finding
	replaced := func(job string, mount corev1.VolumeMount, instead string) {
		found = append(found, finding.Warningf(finding.NoEffect, "spec.runtimeRef",
			"the runtime mounts volume %s at %s in job %s, where the mpi policy mounts %s", mount.Name, mount.MountPath, job, instead))
	}
	for _, name := range []string{Node, Launcher} {
		r, _ := j.Replicated(name)
		c, _ := Container(Pod(r), Node)
		for _, mount := range c.VolumeMounts {
			switch {
			case mount.MountPath == *j.MLPolicy.MPI.SSHAuthMountPath && mount.Name != sshVolume:
				replaced(name, mount, "the SSH keys instead; drop the mount, or set mlPolicy.mpi.sshAuthMountPath")
			case mount.MountPath == hostfileDir && name == Launcher && mount.Name != hostfileVolume:
				replaced(name, mount, "the hostfile instead; mount it elsewhere")
			}
		}
	}
	return found
}

func slotsFromAmbiguousGPUs(j Job) []finding.Finding {
	if j.Trainer.NumProcPerNode != nil || *j.MLPolicy.MPI.NumProcPerNode != 1 {
		return nil
	}
	return ambiguousGPUs(j, "set spec.trainer.numProcPerNode to say it yourself")
}
