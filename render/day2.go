// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/render/finding"
	"github.com/trainyard/trainyard/render/policy"
)

// day2 asks what would go wrong after the first apply. docs/gitops.md tells
// what each rule was seen to do.
func day2(p pair) []finding.Finding {
	return slices.Concat(queue(p), queueAnnotation(p), overruled(p), volcanoQueue(p), suspension(p), leftOut(p), queueMarks(p), queueTolerations(p), deletes(p),
		deadline(p), sshSecret(p), nameInText(p), specTooLong(p))
}

// queueAnnotation: Kueue reads the name of the queue from the label alone, and
// the topology that it asks for from the pods.
func queueAnnotation(p pair) []finding.Finding {
	var found []finding.Finding
	for _, key := range slices.Sorted(maps.Keys(p.job.Metadata.Annotations)) {
		field := "metadata.annotations[" + key + "]"
		switch {
		case key == marks.QueueName:
			found = append(found, finding.Warningf(finding.NoEffect, field,
				"has no effect: Kueue reads the name of the queue from the label of this name; make it a label"))
		case strings.HasPrefix(key, marks.KueuePrefix+"podset-"):
			found = append(found, finding.Warningf(finding.NoEffect, field,
				"has no effect: Kueue reads it from the pod template; set it there, in the runtime or by a runtimePatch"))
		}
	}
	return found
}

// overruled: of a label that both have the JobSet gets the runtime's.
func overruled(p pair) []finding.Finding {
	const key = marks.QueueName
	mine, now := p.t.Labels[key], p.job.Metadata.Labels[key]
	if mine == "" || mine == now {
		return nil
	}
	return []finding.Finding{finding.Warningf(finding.NoEffect, "metadata.labels["+key+"]",
		"has no effect: the runtime's template, or a runtimePatch, names the queue %q, and that counts; name it in one place", now)}
}

// volcanoQueue: the PodGroup's queue is not the TrainJob's to name.
func volcanoQueue(p pair) []finding.Finding {
	queue, ok := p.t.Annotations[marks.VolcanoQueue]
	if !ok || queue == p.job.Metadata.Annotations[marks.VolcanoQueue] {
		return nil
	}
	return []finding.Finding{finding.Warningf(finding.NoEffect, "metadata.annotations["+marks.VolcanoQueue+"]",
		"has no effect on a TrainJob: Volcano's queue is read from the annotations of the runtime's template or of a runtimePatch; set it there")}
}

func queue(p pair) []finding.Finding {
	if !queued(p.job, p.opts) {
		return nil
	}
	suspend := p.t.Spec.Suspend
	switch {
	case suspend != nil && !*suspend:
		return []finding.Finding{finding.Errorf(finding.QueueSuspend, "spec.suspend",
			"is false, but the job waits in a queue: while it is queued, each apply would start it past the queue; drop the field")}
	case suspend == nil && p.t.Labels[marks.QueueName] != "":
		return []finding.Finding{finding.Warningf(finding.QueueSuspend, "spec.suspend",
			"is not set, though the job waits in queue %s: the Trainer in the cluster would start it at once; write suspend: true (the JobSet leaves suspend to Kueue either way)",
			p.t.Labels[marks.QueueName])}
	}
	return nil
}

func suspension(p pair) []finding.Finding {
	if suspend := p.t.Spec.Suspend; suspend == nil || !*suspend || queued(p.job, p.opts) {
		return nil
	}
	return []finding.Finding{finding.Warningf(finding.SuspendedAgain, "spec.suspend",
		"is true and no queue holds the job: whoever resumes it in the cluster sees it suspended again by the next apply; resume it in git")}
}

// leftOut: the runtime has a say neither in whether the job is suspended nor in
// who runs the JobSet.
func leftOut(p pair) []finding.Finding {
	var found []finding.Finding
	spec := p.rt.Spec.Template.Spec
	if asked := p.t.Spec.Suspend; spec.Suspend != nil && *spec.Suspend && (asked == nil || !*asked) && !queued(p.job, p.opts) {
		found = append(found, finding.Warningf(finding.NoEffect, "spec.runtimeRef",
			"the runtime's template says suspend: true, which has no effect, under the Trainer neither: suspend in the TrainJob counts"))
	}
	known := []string{marks.MultiKueue, jobset.JobSetControllerName}
	if by := spec.ManagedBy; by != nil && !slices.Contains(known, *by) {
		found = append(found, finding.Warningf(finding.NoEffect, "spec.runtimeRef",
			"the runtime's template says managedBy: %s, which is left out, so that JobSet's own controller runs the job", *by))
	}
	return found
}

// queueMarks: Kueue writes these itself, and believes them.
func queueMarks(p pair) []finding.Finding {
	var found []finding.Finding
	for _, mark := range []string{"prebuilt-workload-name", "multikueue-origin", "admission-gated-by"} {
		key := marks.KueuePrefix + mark
		if _, ok := p.job.Metadata.Labels[key]; ok {
			found = append(found, finding.Errorf(finding.QueueMark, "metadata.labels["+key+"]", "is Kueue's own mark; remove it"))
		}
		if _, ok := p.job.Metadata.Annotations[key]; ok {
			found = append(found, finding.Errorf(finding.QueueMark, "metadata.annotations["+key+"]", "is Kueue's own mark; remove it"))
		}
	}
	return found
}

func queueTolerations(p pair) []finding.Finding {
	if !queued(p.job, p.opts) || !hasTolerations(p.job.Spec) {
		return nil
	}
	return []finding.Finding{finding.Warningf(finding.QueueTolerations, "spec.runtimeRef",
		"the job is queued and its pods have tolerations: if a ResourceFlavor adds one, each further apply is refused; move them to the ResourceFlavor")}
}

// deletes warns of options by which an applier deletes an object to change it.
func deletes(p pair) []finding.Finding {
	var found []finding.Finding
	warn := func(key, what string) {
		found = append(found, finding.Warningf(finding.DeletesRun, "metadata.annotations["+key+"]",
			"%s lets the applier delete a running training to change it; remove it, and give a changed run a new name", what))
	}
	annotations := p.job.Metadata.Annotations
	for option := range strings.SplitSeq(annotations[argoSyncOption], ",") {
		switch option = strings.TrimSpace(option); option {
		case "Force=true", "Replace=true":
			warn(argoSyncOption, option)
		}
	}
	if hook := annotations[marks.ArgoHook]; hook != "" {
		warn(marks.ArgoHook, "the hook "+hook)
	}
	if force := annotations[fluxForce]; strings.EqualFold(force, "enabled") || strings.EqualFold(force, "true") {
		warn(fluxForce, force)
	}
	return found
}

func deadline(p pair) []finding.Finding {
	if p.t.Spec.ActiveDeadlineSeconds == 0 {
		return nil
	}
	return []finding.Finding{finding.Infof(finding.DeadlinePerJob, "spec.activeDeadlineSeconds",
		"counts %d s for each Job from its own start, and anew after a restart; the Trainer counts once for the whole TrainJob", p.t.Spec.ActiveDeadlineSeconds)}
}

func sshSecret(p pair) []finding.Finding {
	wired := policy.Job{Spec: p.job.Spec}
	_, node := wired.Replicated(policy.Node)
	_, launcher := wired.Replicated(policy.Launcher)
	if p.job.Framework != policy.MPI || !node && !launcher {
		return nil
	}
	if p.opts.SSHAuthSecret != "" {
		return []finding.Finding{finding.Infof(finding.SSHSecret, "spec.runtimeRef",
			"the pods wait for the Secret %s with the keys ssh-privatekey and ssh-publickey; it must be in the namespace", p.opts.SSHAuthSecret)}
	}
	return []finding.Finding{finding.Infof(finding.SSHSecret, "spec.runtimeRef",
		"the pods wait for the Secret %s, which git must not hold: mirror-trainjob-status makes it, or set sshAuthSecret to one that is there", p.job.SSHSecret())}
}

// nameInText: with a content hash the run's hosts are named otherwise than the
// user wrote them.
func nameInText(p pair) []finding.Finding {
	if p.opts.NameSuffix != NameSuffixContentHash {
		return nil
	}
	first, _ := p.job.TrainerJob()
	host := fmt.Sprintf("%s-%s-0-0", p.t.Name, first.Name)
	where := inText(trainingContainer(withTrainer(p.job)), host)
	if len(where) == 0 {
		return nil
	}
	return []finding.Finding{finding.Warningf(finding.NameInText, "spec.trainer",
		"%s holds %s, but nameSuffix: ContentHash gives the run's hosts another name; read it from the environment", strings.Join(where, ", "), host)}
}

func specTooLong(p pair) []finding.Finding {
	if p.opts.Mirror != MirrorCreate || len(compactSpec(p.t.Spec)) <= maxSpecAnnotation {
		return nil
	}
	return []finding.Finding{finding.Errorf(finding.SpecTooLong, "spec",
		"is longer than the %d bytes that fit on the JobSet for the mirror, even without command and args; shorten it, or set mirror: None", maxSpecAnnotation)}
}
