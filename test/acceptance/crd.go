// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json" // whole numbers stay whole
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/yaml"
)

// crd is what the API server knows of JobSets: their schema, its defaults, and
// its rules in CEL.
type crd struct {
	structural *schema.Structural
	shape      validation.SchemaValidator
	rules      *cel.Validator
}

// newCRD reads the CRD that comes with the JobSet module.
func newCRD() (*crd, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/jobset").Output()
	if err != nil {
		return nil, fmt.Errorf("find the JobSet module: %w", err)
	}
	path := filepath.Join(strings.TrimSpace(string(out)), "config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml")
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var definition apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(raw, &definition); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	props := &apiextensions.JSONSchemaProps{}
	version := definition.Spec.Versions[0].Schema.OpenAPIV3Schema
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version, props, nil); err != nil {
		return nil, err
	}
	structural, err := schema.NewStructural(props)
	if err != nil {
		return nil, err
	}
	shape, _, err := validation.NewSchemaValidator(props)
	return &crd{structural: structural, shape: shape, rules: cel.NewValidator(structural, true, celconfig.PerCallLimit)}, err
}

// admit gives the JobSet the CRD's defaults, and tells what the CRD refuses.
func (c *crd) admit(ctx context.Context, js *jobset.JobSet) (*jobset.JobSet, []Refusal, error) {
	raw, err := json.Marshal(js)
	if err != nil {
		return nil, nil, err
	}
	var object map[string]any
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		return nil, nil, err
	}
	defaulting.Default(object, c.structural)
	errs := validation.ValidateCustomResource(nil, object, c.shape)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, c.structural, object)...)
	ofRules, _ := c.rules.Validate(ctx, field.NewPath(""), c.structural, object, nil, celconfig.RuntimeCELCostBudget)
	errs = append(errs, ofRules...)
	raw, err = json.Marshal(object)
	if err != nil {
		return nil, nil, err
	}
	settled := &jobset.JobSet{}
	return settled, refusalsAt(errs, ""), json.Unmarshal(raw, settled)
}
