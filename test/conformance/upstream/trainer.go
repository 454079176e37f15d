// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	trainerruntime "github.com/kubeflow/trainer/v2/pkg/runtime"
	"github.com/kubeflow/trainer/v2/pkg/runtime/core"
	framework "github.com/kubeflow/trainer/v2/pkg/runtime/framework/core"
	"github.com/kubeflow/trainer/v2/pkg/runtime/framework/plugins"
	"github.com/kubeflow/trainer/v2/pkg/webhooks"
)

// Trainer is the Trainer of the module's version, behind an API server that
// has its CRDs. It may be used by several goroutines at once.
type Trainer struct {
	scheme    *runtime.Scheme
	resources map[string]*resource // by kind
	runtimes  map[string]trainerruntime.Runtime
	framework *framework.Framework // of the runtimes, for a second rendering
	builtin   cluster              // the runtimes that come with the Trainer
	jobSets   *jobSetDefaults
}

// New starts a Trainer with the built-in runtimes of a folder.
func New(ctx context.Context, builtin string) (*Trainer, error) {
	ctrl.SetLogger(logr.Discard())
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	t := &Trainer{scheme: scheme, builtin: cluster{}}
	if t.resources, err = readResources(); err != nil {
		return nil, err
	}
	if t.runtimes, err = core.New(ctx, newClient(scheme), noIndex{}, nil); err != nil {
		return nil, fmt.Errorf("start the Trainer: %w", err)
	}
	if t.framework, err = framework.New(ctx, newClient(scheme), plugins.NewRegistry(), noIndex{}, nil); err != nil {
		return nil, fmt.Errorf("start the Trainer's plugins: %w", err)
	}
	if t.jobSets, err = newJobSetDefaults(scheme, t.resources["JobSet"]); err != nil {
		return nil, err
	}
	return t, t.install(ctx, builtin)
}

func readResources() (map[string]*resource, error) {
	trainerCRDs, err := moduleFolder("github.com/kubeflow/trainer/v2", "manifests/base/crds")
	if err != nil {
		return nil, err
	}
	jobSetCRDs, err := moduleFolder("sigs.k8s.io/jobset", "config/components/crd/bases")
	if err != nil {
		return nil, err
	}
	resources := map[string]*resource{}
	for kind, file := range map[string]string{
		"TrainJob":               filepath.Join(trainerCRDs, "trainer.kubeflow.org_trainjobs.yaml"),
		"TrainingRuntime":        filepath.Join(trainerCRDs, "trainer.kubeflow.org_trainingruntimes.yaml"),
		"ClusterTrainingRuntime": filepath.Join(trainerCRDs, "trainer.kubeflow.org_clustertrainingruntimes.yaml"),
		"JobSet":                 filepath.Join(jobSetCRDs, "jobset.x-k8s.io_jobsets.yaml"),
	} {
		if resources[kind], err = readResource(file); err != nil {
			return nil, err
		}
	}
	return resources, nil
}

// noIndex is the index of a client that is only asked for objects by name.
type noIndex struct{}

func (noIndex) IndexField(context.Context, client.Object, string, client.IndexerFunc) error {
	return nil
}

// install admits the runtimes of a folder.
func (t *Trainer) install(ctx context.Context, folder string) error {
	objects, err := ReadFolder(folder)
	if err != nil {
		return err
	}
	for _, object := range objects {
		if report := t.admitRuntime(ctx, object); len(report.Errors) > 0 {
			return fmt.Errorf("admit %s: %s", report.Errors[0].Object, report.Errors[0].Message)
		}
		if err := t.builtin.hold(t.scheme, object, ""); err != nil {
			return err
		}
	}
	return nil
}

// webhookDisabled is the label by which the webhooks' objectSelector spares a
// runtime.
const webhookDisabled = "trainer.kubeflow.org/webhook-validation"

// admitRuntime creates a runtime in the API server.
func (t *Trainer) admitRuntime(ctx context.Context, object map[string]any) Verdict {
	kind, _ := object["kind"].(string)
	name := metadata(object, "name")
	verdict := t.admit(ctx, kind, object)
	if len(verdict.Errors) == 0 && label(object, webhookDisabled) != "disabled" {
		warnings, err := validateRuntime(ctx, kind, object)
		verdict.Warnings = append(verdict.Warnings, warnings...)
		verdict.refuse(Admission, err)
	}
	for i := range verdict.Errors {
		verdict.Errors[i].Object = kind + "/" + name
	}
	return verdict
}

func validateRuntime(ctx context.Context, kind string, object map[string]any) (admission.Warnings, error) {
	if kind == trainer.ClusterTrainingRuntimeKind {
		var typed trainer.ClusterTrainingRuntime
		if err := Convert(object, &typed); err != nil {
			return nil, err
		}
		return (&webhooks.ClusterTrainingRuntimeValidator{}).ValidateCreate(ctx, &typed)
	}
	var typed trainer.TrainingRuntime
	if err := Convert(object, &typed); err != nil {
		return nil, err
	}
	return (&webhooks.TrainingRuntimeValidator{}).ValidateCreate(ctx, &typed)
}

// admit decodes and validates an object of a kind that has a CRD.
func (t *Trainer) admit(ctx context.Context, kind string, object map[string]any) Verdict {
	resource := t.resources[kind]
	if resource.namespaced {
		setNamespace(object, metav1.NamespaceDefault) // that of kubectl's request
	}
	unknown, err := resource.decode(object)
	verdict := Verdict{Unknown: unknown}
	if err != nil {
		verdict.refuse(Validation, err)
		return verdict
	}
	verdict.refuse(Validation, resource.validate(ctx, object).ToAggregate())
	return verdict
}

// builder makes the objects of a TrainJob.
type builder func(context.Context, *trainer.TrainJob) ([]runtime.ApplyConfiguration, error)

// build returns what the controller would apply for a TrainJob that was
// admitted. The Trainer may panic; so does a controller, and recovers.
func build(ctx context.Context, job *trainer.TrainJob, plugins builder) (objects []map[string]any, err error) {
	defer func() {
		if trouble := recover(); trouble != nil {
			objects, err = nil, fmt.Errorf("panic: %v", trouble)
		}
	}()
	configurations, err := plugins(ctx, job)
	if err != nil {
		return nil, err
	}
	for _, configuration := range configurations {
		object := map[string]any{}
		if err := Convert(configuration, &object); err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	slices.SortFunc(objects, byKind) // their order is that of the plugins, which varies
	return objects, nil
}

func byKind(a, b map[string]any) int {
	return strings.Compare(fmt.Sprint(a["apiVersion"], a["kind"]), fmt.Sprint(b["apiVersion"], b["kind"]))
}

// uid stands for the UID that the API server gives a TrainJob.
const uid = "<uid>"

func typedTrainJob(object map[string]any) (*trainer.TrainJob, error) {
	var job trainer.TrainJob
	if err := Convert(object, &job); err != nil {
		return nil, err
	}
	job.UID = uid
	return &job, nil
}
