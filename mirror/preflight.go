// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-logr/logr"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// pollAPIs is how often a missing API is looked for.
const pollAPIs = 5 * time.Second

// preflight looks round in the cluster before the mirror starts, and says in
// the log what it sees.
type preflight struct {
	discovery discovery.DiscoveryInterface
	live      client.Reader
	log       logr.Logger
	options   Options
}

// verdict is what one check came to: a line for the log. A verdict that
// forbids keeps the mirror from starting.
type verdict struct {
	text    string
	forbids bool
}

// waitForAPIs returns when TrainJob and JobSet are served in the versions that
// the mirror speaks. It fails only if the context ends.
func (p preflight) waitForAPIs(ctx context.Context) error {
	said := ""
	return wait.PollUntilContextCancel(ctx, pollAPIs, true, func(context.Context) (bool, error) {
		missing := p.missingAPIs()
		if missing != said && missing != "" {
			p.log.Info("waiting: " + missing)
		}
		said = missing
		return missing == "", nil
	})
}

func (p preflight) missingAPIs() string {
	for _, api := range []struct {
		version  schema.GroupVersion
		resource string
		remedy   string
	}{
		{trainer.GroupVersion, "trainjobs", "install the Trainer 2.3 or its CRDs alone (deploy/crds)"},
		{jobset.GroupVersion, "jobsets", "install JobSet 0.12 or later"},
	} {
		served, err := p.serves(api.version, api.resource)
		switch {
		case err != nil:
			return fmt.Sprintf("the API server does not say whether it serves %s: %v", api.resource, err)
		case !served:
			return fmt.Sprintf("%s.%s is not served in version %s%s; %s", api.resource, api.version.Group,
				api.version.Version, p.otherVersions(api.version.Group), api.remedy)
		}
	}
	return ""
}

func (p preflight) serves(version schema.GroupVersion, resource string) (bool, error) {
	list, err := p.discovery.ServerResourcesForGroupVersion(version.String())
	if err != nil {
		if apierrors.IsNotFound(err) {
			return false, nil
		}
		return false, err
	}
	for _, r := range list.APIResources {
		if r.Name == resource {
			return true, nil
		}
	}
	return false, nil
}

// otherVersions says in which versions a group is served.
func (p preflight) otherVersions(group string) string {
	groups, err := p.discovery.ServerGroups()
	if err != nil {
		return ""
	}
	for _, g := range groups.Groups {
		if g.Name != group {
			continue
		}
		var versions []string
		for _, v := range g.Versions {
			versions = append(versions, v.Version)
		}
		return fmt.Sprintf(" (the group has %s)", strings.Join(versions, ", "))
	}
	return ""
}

// round logs what every check came to. The error says why the mirror must not
// start.
func (p preflight) round(ctx context.Context) error {
	var refusals []error
	for _, v := range []verdict{p.trainJobShape(), p.trainerVersion(ctx), p.finalizers(ctx), p.kueue(ctx)} {
		if v.forbids {
			refusals = append(refusals, errors.New(v.text))
		} else {
			p.log.Info(v.text)
		}
	}
	return errors.Join(refusals...)
}
