// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"fmt"
	"slices"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/version"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// finalizer was put on runtimes in use by the Trainer up to 2.2; 2.3 takes it off.
const finalizer = "trainer.kubeflow.org/resource-in-use"

const needsRights = " (the mirror may not read it; the component deploy/mirror/components/preflight lets it)"

// trainerVersion looks up the version of the Trainer's controller.
func (p preflight) trainerVersion(ctx context.Context) verdict {
	var trainerDeployment appsv1.Deployment
	err := p.live.Get(ctx, key(p.options.TrainerDeployment), &trainerDeployment)
	where := "the Trainer's Deployment " + p.options.TrainerDeployment
	switch {
	case apierrors.IsNotFound(err):
		return verdict{text: where + " is not there: no Trainer beside the mirror"}
	case apierrors.IsForbidden(err):
		return verdict{text: where + " was not checked" + needsRights}
	case err != nil:
		return verdict{text: fmt.Sprintf("%s was not checked: %v", where, err)}
	case trainerDeployment.Spec.Replicas != nil && *trainerDeployment.Spec.Replicas == 0:
		return verdict{text: where + " is scaled to 0"}
	}
	found := deployedVersion(&trainerDeployment)
	switch {
	case found == nil:
		return verdict{text: where + " does not tell its version; it must be 2.3 or later"}
	case found.AtLeast(version.MustParseGeneric("2.3.0")):
		return verdict{text: fmt.Sprintf("%s runs version %s", where, found)}
	case p.options.AllowOldTrainer:
		return verdict{text: fmt.Sprintf("%s runs version %s; allowed by --allow-old-trainer", where, found)}
	}
	return verdict{forbids: true, text: fmt.Sprintf("%s runs version %s: %s", where, found, oldTrainer)}
}

// deployedVersion is that of the image, or of the chart's label; nil if neither
// tells.
func deployedVersion(d *appsv1.Deployment) *version.Version {
	tags := []string{}
	for _, container := range d.Spec.Template.Spec.Containers {
		image, _, _ := strings.Cut(container.Image, "@")
		if slash, colon := strings.LastIndex(image, "/"), strings.LastIndex(image, ":"); container.Name == "manager" && colon > slash {
			tags = append(tags, image[colon+1:])
		}
	}
	for _, tag := range append(tags, d.Labels["app.kubernetes.io/version"]) {
		if v, err := version.ParseGeneric(tag); err == nil {
			return v
		}
	}
	return nil
}

// finalizers finds runtimes that nobody can delete once the Trainer is gone.
func (p preflight) finalizers(ctx context.Context) verdict {
	var held []string
	for _, kind := range []string{trainer.ClusterTrainingRuntimeKind, trainer.TrainingRuntimeKind} {
		list := &metav1.PartialObjectMetadataList{}
		list.SetGroupVersionKind(trainer.GroupVersion.WithKind(kind + "List"))
		err := p.live.List(ctx, list)
		switch {
		case apierrors.IsForbidden(err):
			return verdict{text: "finalizers left on runtimes were not looked for" + needsRights}
		case err != nil:
			return verdict{text: fmt.Sprintf("finalizers left on runtimes were not looked for: %v", err)}
		}
		for _, runtime := range list.Items {
			if slices.Contains(runtime.Finalizers, finalizer) {
				held = append(held, kind+" "+strings.TrimPrefix(runtime.Namespace+"/"+runtime.Name, "/"))
			}
		}
	}
	if len(held) == 0 {
		return verdict{text: "no runtime holds the finalizer " + finalizer}
	}
	return verdict{text: fmt.Sprintf("the finalizer %s is on %d runtimes, the first %s. Only the Trainer 2.3 takes it off: "+
		"let it run once before you remove it, or they can't be deleted", finalizer, len(held), held[0])}
}

// kueue finds a Kueue that would queue the TrainJob itself because it does not
// know its owner, the JobSet.
func (p preflight) kueue(ctx context.Context) verdict {
	var config corev1.ConfigMap
	err := p.live.Get(ctx, key(p.options.KueueConfig), &config)
	where := "Kueue's ConfigMap " + p.options.KueueConfig
	switch {
	case apierrors.IsNotFound(err):
		return verdict{text: where + " is not there"}
	case apierrors.IsForbidden(err):
		return verdict{text: where + " was not checked" + needsRights}
	case err != nil:
		return verdict{text: fmt.Sprintf("%s was not checked: %v", where, err)}
	}
	var settings struct {
		Integrations struct {
			Frameworks []string `json:"frameworks"`
		} `json:"integrations"`
	}
	if err := yaml.Unmarshal([]byte(config.Data["controller_manager_config.yaml"]), &settings); err != nil {
		return verdict{text: where + " was not checked: it is no YAML"}
	}
	on := settings.Integrations.Frameworks
	if slices.Contains(on, "trainer.kubeflow.org/trainjob") && !slices.Contains(on, "jobset.x-k8s.io/jobset") {
		return verdict{text: where + " has the integration trainer.kubeflow.org/trainjob without jobset.x-k8s.io/jobset: " +
			"Kueue queues the TrainJobs that the mirror makes, and not the JobSets that run. Switch on the latter"}
	}
	return verdict{text: where + " is fit for the mirror"}
}

// key splits namespace/name.
func key(text string) client.ObjectKey {
	namespace, name, _ := strings.Cut(text, string(types.Separator))
	return client.ObjectKey{Namespace: namespace, Name: name}
}
