// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"encoding/json"
	"fmt"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/trainyard/trainyard/internal/manifest"
	"github.com/trainyard/trainyard/internal/resourcelist"
)

// Decode turns an item into its object: TrainJobs, JobSets and ConfigMaps into
// their types, others into a tree of values.
func Decode(item *resourcelist.Item) (runtime.Object, error) {
	switch {
	case isTrainJob(item):
		job, findings := judged[trainer.TrainJob](item)
		if job == nil {
			return nil, fmt.Errorf("read TrainJob %s: %s", item.Ref.Name, findings[0].Message)
		}
		return job, nil
	case isJobSet(item):
		return jobSetOf(item)
	case item.Ref.Kind == "ConfigMap" && item.Ref.APIVersion == "v1":
		return decoded(item, &corev1.ConfigMap{})
	default:
		return decoded(item, &unstructured.Unstructured{})
	}
}

func decoded[T runtime.Object](item *resourcelist.Item, object T) (runtime.Object, error) {
	root, err := item.Root()
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", item.Ref.Kind, item.Ref.Name, err)
	}
	document, _ := manifest.JSON(root)
	if err := json.Unmarshal(document, object); err != nil {
		return nil, fmt.Errorf("read %s %s: %w", item.Ref.Kind, item.Ref.Name, err)
	}
	return object, nil
}
