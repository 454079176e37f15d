// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/trainyard/trainyard/internal/golden"
	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
)

// rendezvous are the variables that name the host where a job's processes meet.
var rendezvous = []string{"PET_MASTER_ADDR", "JAX_COORDINATOR_ADDRESS", "DMLC_TRACKER_URI"}

// TestProcessesMeetAtAPod follows the addresses that the policies write: in
// every golden case each names the host of a pod that the JobSet makes, and no
// two pods of a job share a rank.
func TestProcessesMeetAtAPod(t *testing.T) {
	golden.Cases(t, "../testdata/render", func(t *testing.T, folder string) {
		job, rt, opts := given(t, folder)
		result := render.Render(job, rt, opts)
		js, told := result.JobSet, func(f finding.Finding) bool { return f.Rule == finding.UnreachablePeers }
		if js == nil || filepath.Base(folder) == "content-hash-name-in-text" { // where the user's own text names a host of another run
			return
		}
		hosts, ranks, addresses := map[string]bool{}, map[string]bool{}, map[string]bool{}
		for _, object := range render.Pods(js) {
			pod, ok := object.(*corev1.Pod)
			if !ok {
				continue
			}
			pod = render.Resolved(pod)
			hosts[pod.Spec.Hostname+"."+pod.Spec.Subdomain] = true
			rank := pod.Labels["job-name"] + " " + pod.Annotations["batch.kubernetes.io/job-completion-index"]
			if ranks[rank] && pod.Spec.Hostname != "" {
				t.Errorf("two pods are %s", rank)
			}
			ranks[rank] = true
			gather(addresses, pod, job.Spec.Trainer != nil && len(job.Spec.Trainer.Env) > 0)
		}
		for address := range addresses {
			if hosts[address] == slices.ContainsFunc(result.Findings, told) {
				t.Errorf("processes are sent to %s, and the hosts are %v; the findings are %v", address, hosts, result.Findings)
			}
		}
	})
}

// gather collects the addresses that a pod's containers are given. A job with
// variables of its own may send its processes anywhere.
func gather(addresses map[string]bool, pod *corev1.Pod, own bool) {
	for _, c := range pod.Spec.Containers {
		for _, e := range c.Env {
			if slices.Contains(rendezvous, e.Name) && !own {
				host, _, _ := strings.Cut(e.Value, ":")
				addresses[host] = true
			}
		}
	}
}
