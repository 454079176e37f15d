// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
)

const (
	createRun  = "create TrainJob team-a/run"
	deleteRun  = "delete TrainJob team-a/run"
	simpleSpec = `{"runtimeRef":{"name":"torch-distributed"},"trainer":{"numNodes":2}}`
)

func TestTrainJobIsMade(t *testing.T) {
	js := newJobSet(annotated(marks.TrainJobSpec, simpleSpec), annotated("argocd.argoproj.io/tracking-id", "x"))
	js.Labels = map[string]string{
		marks.TrainJob: "run", "team": "a",
		marks.QueueName:                           "gpus",
		"kueue.x-k8s.io/priority-class":           "high",
		"app.kubernetes.io/instance":              "my-app",
		"argocd.argoproj.io/instance":             "my-app",
		"kustomize.toolkit.fluxcd.io/name":        "apps",
		"helm.toolkit.fluxcd.io/namespace":        "apps",
		"applyset.kubernetes.io/part-of":          "applyset-1",
		"app.kubernetes.io/managed-by":            "Helm",
		"app.kubernetes.io/name":                  "train",
		"not-kueue.x-k8s.io/queue-name":           "kept",
		"kustomize.toolkit.fluxcd.io.example/own": "kept",
	}
	w := newWorld(t, js)
	w.settle()
	w.wantWrites(createRun, patchRun)
	w.wantEvents()

	got := w.trainJob()
	yes, no := true, false
	manager, nodes := marks.MultiKueue, int32(2)
	want := &trainer.TrainJob{
		TypeMeta: got.TypeMeta,
		ObjectMeta: metav1.ObjectMeta{
			Name: "run", Namespace: "team-a", UID: got.UID, ResourceVersion: got.ResourceVersion,
			Labels: map[string]string{
				marks.TrainJob: "run", "team": "a", "app.kubernetes.io/name": "train",
				"not-kueue.x-k8s.io/queue-name": "kept", "kustomize.toolkit.fluxcd.io.example/own": "kept",
			},
			Annotations: map[string]string{marks.TrainJobSpec: specDigest(simpleSpec)},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "jobset.x-k8s.io/v1alpha2", Kind: "JobSet", Name: "run", UID: "js-1",
				Controller: &yes, BlockOwnerDeletion: &no,
			}},
		},
		Spec: trainer.TrainJobSpec{
			ManagedBy:  &manager,
			RuntimeRef: trainer.RuntimeRef{Name: "torch-distributed"},
			Trainer:    &trainer.Trainer{NumNodes: &nodes},
		},
		Status: Status(trainer.TrainJobStatus{}, js),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What the annotation says about who manages the TrainJob is overruled.
func TestManagerIsNotTheAnnotations(t *testing.T) {
	spec := `{"managedBy":"trainer.kubeflow.org/trainjob-controller","runtimeRef":{"name":"x"}}`
	w := newWorld(t, newJobSet(annotated(marks.TrainJobSpec, spec)))
	w.settle()
	if got := *w.trainJob().Spec.ManagedBy; got != marks.MultiKueue {
		t.Errorf("managedBy is %s", got)
	}
}

func TestTrainJobIsMadeAgainForAnotherSpec(t *testing.T) {
	w := newWorld(t, newJobSet(annotated(marks.TrainJobSpec, simpleSpec)))
	w.settle()
	w.writes = nil

	// The same, written in another way.
	w.change(annotated(marks.TrainJobSpec, `{ "trainer": {"numNodes": 2}, "runtimeRef": {"name": "torch-distributed"} }`))
	w.settle()
	w.wantWrites()

	w.change(annotated(marks.TrainJobSpec, `{"runtimeRef":{"name":"torch-distributed"},"trainer":{"numNodes":3}}`))
	w.settle()
	w.wantWrites(deleteRun, createRun, patchRun)
	if got := *w.trainJob().Spec.Trainer.NumNodes; got != 3 {
		t.Errorf("numNodes is %d, want 3", got)
	}
}

// Kueue writes the spec of a TrainJob. It is not the mirror's after creation.
func TestSpecIsNotFoughtOver(t *testing.T) {
	w := newWorld(t, newJobSet(annotated(marks.TrainJobSpec, simpleSpec)))
	w.settle()
	w.writes = nil
	tj := w.trainJob()
	tj.Spec.Suspend = new(true)
	tj.Spec.RuntimePatches = []trainer.RuntimePatch{{Manager: "kueue.x-k8s.io/manager"}}
	w.must(w.cluster.Update(t.Context(), tj))
	w.settle()
	w.wantWrites()
}

// A TrainJob that belonged to an earlier JobSet of the name is on its way to
// the garbage collector; the new JobSet gets its own.
func TestTrainJobOfAnEarlierJobSet(t *testing.T) {
	w := newWorld(t, newJobSet(annotated(marks.TrainJobSpec, simpleSpec), completed))
	w.settle()
	w.must(w.cluster.Delete(t.Context(), newJobSet()))
	w.pass()
	w.must(w.cluster.Create(t.Context(), newJobSet(annotated(marks.TrainJobSpec, simpleSpec),
		func(js *jobset.JobSet) { js.UID = "js-2" })))
	w.writes = nil
	w.settle()
	w.wantWrites(deleteRun, createRun, patchRun)
	got := w.trainJob()
	if got.OwnerReferences[0].UID != "js-2" || terminal(got.Status) != nil {
		t.Errorf("the TrainJob is still that of the earlier JobSet: %+v", got)
	}
}

// One that somebody else made is theirs: status at most.
func TestTrainJobOfSomebodyElse(t *testing.T) {
	w := newWorld(t, newHandedOver(), newJobSet(annotated(marks.TrainJobSpec, simpleSpec)))
	w.settle()
	w.wantWrites(patchRun)

	forged := newHandedOver()
	forged.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "run", UID: "x", Controller: new(true)}}
	forged.Annotations = map[string]string{marks.TrainJobSpec: "sha256:0"}
	w = newWorld(t, forged, newJobSet(annotated(marks.TrainJobSpec, simpleSpec)))
	w.settle()
	w.wantWrites(patchRun)
}

// The API answers AlreadyExists while the cache does not show the TrainJob yet.
func TestTrainJobExistsAlready(t *testing.T) {
	w := newWorld(t, newJobSet(annotated(marks.TrainJobSpec, simpleSpec)))
	resource := schema.GroupResource{Group: trainer.GroupVersion.Group, Resource: "trainjobs"}
	w.before = func(string) error { return apierrors.NewAlreadyExists(resource, "run") }
	if result := w.pass(); result.RequeueAfter != 0 {
		t.Error("tries again by itself")
	}
	w.wantEvents()
}

// A webhook denies: the reason is said, and what is missing may come later.
func TestTrainJobIsDenied(t *testing.T) {
	w := newWorld(t, newJobSet(annotated(marks.TrainJobSpec, simpleSpec)))
	resource := schema.GroupResource{Group: trainer.GroupVersion.Group, Resource: "trainjobs"}
	w.before = func(string) error {
		return apierrors.NewForbidden(resource, "run", errors.New("ClusterTrainingRuntime torch-distributed not found"))
	}
	for range 5 {
		if result := w.pass(); result.RequeueAfter != whenDenied {
			t.Fatalf("tries again after %v, want %v", result.RequeueAfter, whenDenied)
		}
	}
	if texts := w.wantEvents("TrainJobDenied"); !strings.Contains(texts[0], "torch-distributed not found") {
		t.Error("the Event does not say why:", texts[0])
	}
	w.before, w.writes = nil, nil
	w.settle()
	w.wantWrites(createRun, patchRun)
}

// Where the command would have taken the annotation over its limit, the
// renderer left it out; the JobSet holds it.
func TestCommandLeftOut(t *testing.T) {
	script := strings.Repeat("x", marks.MaxTrainJobSpec)
	long := func(js *jobset.JobSet) {
		c := &js.Spec.ReplicatedJobs[0].Template.Spec.Template.Spec.Containers[0]
		c.Command, c.Args = []string{"bash", "-c"}, []string{script}
	}
	fits := func(js *jobset.JobSet) { // in the annotation, where < is one byte
		js.Spec.ReplicatedJobs[0].Template.Spec.Template.Spec.Containers[0].Args = []string{strings.Repeat("<", marks.MaxTrainJobSpec/2)}
	}
	launcher := nodeJob()
	launcher.Name = "launcher"
	worker := nodeJob()
	worker.Template.Labels = nil
	worker.Template.Spec.Template.Spec.Containers[0].Command = []string{"sshd", script}
	for name, c := range map[string]struct {
		spec          string
		edit          func(*jobset.JobSet)
		command, args []string
	}{
		"left out":               {simpleSpec, long, []string{"bash", "-c"}, []string{script}},
		"left out, no trainer":   {`{"runtimeRef":{"name":"x"}}`, long, []string{"bash", "-c"}, []string{script}},
		"the runtime's own":      {simpleSpec, func(*jobset.JobSet) {}, nil, nil},
		"the runtime's, long":    {simpleSpec, fits, nil, nil},
		"in the annotation":      {`{"runtimeRef":{"name":"x"},"trainer":{"command":["a"]}}`, long, []string{"a"}, nil},
		"workers have their own": {simpleSpec, func(js *jobset.JobSet) { js.Spec.ReplicatedJobs = []jobset.ReplicatedJob{launcher, worker} }, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, newJobSet(annotated(marks.TrainJobSpec, c.spec), c.edit))
			w.settle()
			var got trainer.Trainer
			if spec := w.trainJob().Spec.Trainer; spec != nil {
				got = *spec
			}
			if diff := cmp.Diff(c.command, got.Command) + cmp.Diff(c.args, got.Args); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The digest in the cache tells specs apart as the decoded ones do.
func TestSpecDigest(t *testing.T) {
	same := specDigest(simpleSpec)
	var spec trainer.TrainJobSpec
	if err := json.Unmarshal([]byte(simpleSpec), &spec); err != nil {
		t.Fatal(err)
	}
	indented, err := json.MarshalIndent(spec, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text string
		same bool
	}{
		"indented":     {string(indented), true},
		"the digest":   {same, true},
		"another":      {strings.Replace(simpleSpec, "2", "3", 1), false},
		"broken":       {simpleSpec + "}", false},
		"with a field": {strings.Replace(simpleSpec, "{", `{"x":1,`, 1), false},
	} {
		if got := specDigest(c.text) == same; got != c.same {
			t.Errorf("%s: same digest: %v, want %v", name, got, c.same)
		}
	}
}
