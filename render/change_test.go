// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/render"
	"github.com/trainyard/trainyard/render/finding"
)

const run = `
metadata:
  labels: {kueue.x-k8s.io/queue-name: a, team: x}
spec:
  network: {enableDNSHostnames: true}
  replicatedJobs:
  - name: node
    template:
      spec:
        parallelism: 2
        template:
          spec:
            tolerations: [{key: gpu}]
            containers:
            - name: node
              image: torch:1
              args: [a, b]
              env: [{name: A, value: "1"}, {name: B, value: $(A)}]
              resources: {limits: {cpu: "1"}}
              volumeMounts: [{name: data, mountPath: /in}, {name: data, mountPath: /out}]
`

const container = "spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node]"

// TestChange says what the API does with each edit of a JobSet that runs.
func TestChange(t *testing.T) {
	for _, tc := range []struct {
		name, patch string
		want        []render.Edit
	}{
		{"nothing", `{}`, nil},
		{"label", `metadata: {labels: {team: z}}`,
			[]render.Edit{{Path: "metadata.labels.team", Was: `"x"`, Is: `"z"`, Effect: render.InPlace}}},
		{"queue", `metadata: {labels: {kueue.x-k8s.io/queue-name: b}}`,
			[]render.Edit{{Path: "metadata.labels[kueue.x-k8s.io/queue-name]", Was: `"a"`, Is: `"b"`, Effect: render.Refused}}},
		{"deadline of Kueue", `metadata: {labels: {kueue.x-k8s.io/max-exec-time-seconds: "9"}}`,
			[]render.Edit{{Path: "metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]", Is: `"9"`, Effect: render.Refused}}},
		{"priority class added", `metadata: {labels: {kueue.x-k8s.io/priority-class: high}}`,
			[]render.Edit{{Path: "metadata.labels[kueue.x-k8s.io/priority-class]", Is: `"high"`, Effect: render.Refused}}},
		{"suspended", `spec: {suspend: true}`,
			[]render.Edit{{Path: "spec.suspend", Is: "true", Effect: render.Stops}}},
		{"TTL", `spec: {ttlSecondsAfterFinished: 60}`,
			[]render.Edit{{Path: "spec.ttlSecondsAfterFinished", Is: "60", Effect: render.InPlace}}},
		{"coordinator", `spec: {coordinator: {replicatedJob: node}}`,
			[]render.Edit{{Path: "spec.coordinator", Is: `{"replicatedJob":"node"}`, Effect: render.InPlace}}},
		{"failure policy added", `spec: {failurePolicy: {maxRestarts: 1}}`,
			[]render.Edit{{Path: "spec.failurePolicy", Is: `{"maxRestarts":1}`, Effect: render.InPlace}}},
		{"network changed", `spec: {network: {enableDNSHostnames: false}}`,
			[]render.Edit{{Path: "spec.network.enableDNSHostnames", Was: "true", Is: "false", Effect: render.Refused}}},
		{"managedBy", `spec: {managedBy: someone}`,
			[]render.Edit{{Path: "spec.managedBy", Is: `"someone"`, Effect: render.Refused}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := render.Change(decode(t, run), decode(t, run, tc.patch))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestChangeOfPods: nothing in a pod template can change while the run runs;
// what Kueue changes on admission can while it is suspended.
func TestChangeOfPods(t *testing.T) {
	for _, tc := range []struct {
		name string
		edit func(*jobset.JobSet)
		want []render.Edit
	}{
		{"image", func(js *jobset.JobSet) { pod(js).Containers[0].Image = "torch:2" },
			[]render.Edit{{Path: container + ".image", Was: `"torch:1"`, Is: `"torch:2"`, Effect: render.Refused}}},
		{"args are one value", func(js *jobset.JobSet) { pod(js).Containers[0].Args = []string{"b"} },
			[]render.Edit{{Path: container + ".args", Was: `["a","b"]`, Is: `["b"]`, Effect: render.Refused}}},
		{"order of variables", func(js *jobset.JobSet) {
			env := pod(js).Containers[0].Env
			env[0], env[1] = env[1], env[0]
		}, []render.Edit{{Path: container + ".env", Was: `["[name=A]","[name=B]"]`, Is: `["[name=B]","[name=A]"]`, Effect: render.Refused}}},
		{"second mount of a volume", func(js *jobset.JobSet) { pod(js).Containers[0].VolumeMounts[1].ReadOnly = true },
			[]render.Edit{{Path: container + ".volumeMounts[mountPath=/out].readOnly", Is: "true", Effect: render.Refused}}},
		{"the same amount", func(js *jobset.JobSet) {
			pod(js).Containers[0].Resources.Limits = decode(t, run, `spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec: {containers: [{name: node, resources: {limits: {cpu: 1000m}}}]}}}}}]}`).
				Spec.ReplicatedJobs[0].Template.Spec.Template.Spec.Containers[0].Resources.Limits
		}, nil},
		{"toleration", func(js *jobset.JobSet) { pod(js).Tolerations = nil },
			[]render.Edit{{Path: "spec.replicatedJobs[name=node].template.spec.template.spec.tolerations", Was: `[{"key":"gpu"}]`, Effect: render.Refused}}},
		{"toleration and queue while it is suspended", func(js *jobset.JobSet) {
			js.Spec.Suspend = new(true)
			js.Labels["kueue.x-k8s.io/queue-name"] = "b"
			pod(js).Tolerations[0].Key = "tpu"
		}, []render.Edit{
			{Path: "metadata.labels[kueue.x-k8s.io/queue-name]", Was: `"a"`, Is: `"b"`, Effect: render.InPlace},
			{Path: "spec.replicatedJobs[name=node].template.spec.template.spec.tolerations[0].key", Was: `"gpu"`, Is: `"tpu"`, Effect: render.InPlace},
			{Path: "spec.suspend", Is: "true", Effect: render.Stops},
		}},
		{"status", func(js *jobset.JobSet) { js.Status.Restarts, js.UID = 3, "x" }, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := decode(t, run)
			tc.edit(is)
			if diff := cmp.Diff(tc.want, render.Change(decode(t, run), is)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestChangeOfCompanions(t *testing.T) {
	was := &corev1.ConfigMap{Data: map[string]string{"hostfile": "a"}}
	is := &corev1.ConfigMap{Data: map[string]string{"hostfile": "b"}}
	want := []render.Edit{{Path: "data.hostfile", Was: `"a"`, Is: `"b"`, Effect: render.InPlace}}
	if diff := cmp.Diff(want, render.Change(was, is)); diff != "" {
		t.Error(diff)
	}
	was.Immutable, is.Immutable = new(true), new(true)
	want[0].Effect = render.Refused
	if diff := cmp.Diff(want, render.Change(was, runtime.Object(is))); diff != "" {
		t.Error(diff)
	}
}

// TestImmutable: one finding for each field that a person edited, not for each
// that follows from it.
func TestImmutable(t *testing.T) {
	job, rt, opts := given(t, "../testdata/render/torch-gpu-auto")
	was := render.Render(job, rt, opts)
	job.Spec.Trainer.NumNodes = new(*job.Spec.Trainer.NumNodes + 1)
	opts.Explain = true
	is := render.Render(job, rt, opts)
	found := render.Immutable(refOf(is.JobSet), render.Change(was.JobSet, is.JobSet), is.Sources)
	if len(found) != 1 {
		t.Fatalf("want one finding, got %v", found)
	}
	if f := found[0]; f.Rule != finding.ImmutableEdit || f.Severity != finding.Error || f.Field != "spec.trainer.numNodes" || f.Object.Name != job.Name {
		t.Errorf("want an error on spec.trainer.numNodes of %s, got %+v", job.Name, f)
	}
	if found := render.Immutable(refOf(is.JobSet), render.Change(is.JobSet, is.JobSet), is.Sources); len(found) > 0 {
		t.Errorf("nothing changed, got %v", found)
	}
}

// decode reads a JobSet from texts of which the later ones are merge patches.
func decode(t *testing.T, texts ...string) *jobset.JobSet {
	t.Helper()
	js := &jobset.JobSet{}
	for _, text := range texts {
		if err := yaml.UnmarshalStrict([]byte(text), js); err != nil {
			t.Fatalf("read the JobSet: %v", err)
		}
	}
	return js
}

func pod(js *jobset.JobSet) *corev1.PodSpec {
	return &js.Spec.ReplicatedJobs[0].Template.Spec.Template.Spec
}

func refOf(js *jobset.JobSet) finding.Ref {
	return finding.Ref{APIVersion: js.APIVersion, Kind: js.Kind, Namespace: js.Namespace, Name: js.Name}
}
