// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

// resource is one kind as the API server serves it.
type resource struct {
	namespaced bool
	structural *schema.Structural
	openAPI    validation.SchemaValidator
	rules      *cel.Validator
}

// readResource compiles the CRD of a file.
func readResource(file string) (*resource, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(text, &crd); err != nil {
		return nil, fmt.Errorf("read CRD %s: %w", file, err)
	}
	var props apiextensions.JSONSchemaProps
	external := crd.Spec.Versions[0].Schema.OpenAPIV3Schema
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(external, &props, nil); err != nil {
		return nil, fmt.Errorf("convert CRD %s: %w", file, err)
	}
	structural, err := schema.NewStructural(&props)
	if err != nil {
		return nil, fmt.Errorf("read schema of CRD %s: %w", file, err)
	}
	openAPI, _, err := validation.NewSchemaValidator(&props)
	if err != nil {
		return nil, fmt.Errorf("compile schema of CRD %s: %w", file, err)
	}
	return &resource{
		namespaced: crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
		structural: structural,
		openAPI:    openAPI,
		rules:      cel.NewValidator(structural, true, celconfig.PerCallLimit),
	}, nil
}

// decode prunes object and fills in its defaults, as the API server does while
// it reads a request. It returns the paths of what was pruned.
func (r *resource) decode(object map[string]any) (unknown []string, err error) {
	meta, found, unknown, err := objectmeta.GetObjectMetaWithOptions(object, objectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		return nil, err
	}
	unknown = append(unknown, pruning.PruneWithOptions(object, r.structural, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})...)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, r.structural)
	coerceErr, paths := objectmeta.CoerceWithOptions(nil, object, r.structural, false, objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	if coerceErr != nil {
		return nil, coerceErr
	}
	if found {
		if err := objectmeta.SetObjectMeta(object, meta); err != nil {
			return nil, err
		}
	}
	r.Default(object)
	delete(object, "status")
	return append(unknown, paths...), nil
}

// Default fills in the CRD's defaults.
func (r *resource) Default(object map[string]any) {
	defaulting.Default(object, r.structural)
}

// validate checks object as the API server does before it stores it.
func (r *resource) validate(ctx context.Context, object map[string]any) field.ErrorList {
	accessor := &unstructured.Unstructured{Object: object}
	errs := apivalidation.ValidateObjectMetaAccessor(accessor, r.namespaced, apivalidation.NameIsDNSSubdomain, field.NewPath("metadata"))
	errs = append(errs, validation.ValidateCustomResource(nil, object, r.openAPI)...)
	errs = append(errs, objectmeta.Validate(nil, object, r.structural, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, r.structural, object)...)
	if hidesRules(errs) {
		return errs
	}
	broken, _ := r.rules.Validate(ctx, nil, r.structural, object, nil, celconfig.RuntimeCELCostBudget)
	return append(errs, broken...)
}

// hidesRules tells whether the API server would not get as far as the CEL
// rules, which need an object of the right shape.
func hidesRules(errs field.ErrorList) bool {
	for _, err := range errs {
		switch err.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return true
		}
	}
	return false
}
