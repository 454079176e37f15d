// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"
)

// podFields are the fields of a pod that a variable can hold.
var podFields = []string{
	"metadata.name", "metadata.namespace", "metadata.uid",
	"spec.nodeName", "spec.serviceAccountName",
	"status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs",
}

// resourceFields are the resources of a container that a variable or a file can
// hold, beside those of huge pages.
var resourceFields = []string{
	"limits.cpu", "limits.memory", "limits.ephemeral-storage",
	"requests.cpu", "requests.memory", "requests.ephemeral-storage",
}

// divisors of a number of bytes.
var divisors = []string{"1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"}

func (p pod) checkEnv(s spot, c *corev1.Container) {
	for i, variable := range c.Env {
		at := s.at("env").index(i)
		at.at("name").needs(variable.Name)
		if variable.Name != "" {
			at.at("name").refuseIf(validation.IsRelaxedEnvVarName(variable.Name), variable.Name)
		}
		if variable.ValueFrom != nil {
			p.checkEnvSource(at.at("valueFrom"), variable)
		}
	}
	for i, source := range c.EnvFrom {
		checkEnvFrom(s.at("envFrom").index(i), source)
	}
}

// checkEnvSource: a variable has one value.
func (p pod) checkEnvSource(s spot, variable corev1.EnvVar) {
	from := variable.ValueFrom
	var set []string
	if from.FieldRef != nil {
		set = append(set, "fieldRef")
		checkFieldRef(s.at("fieldRef"), from.FieldRef, podFields)
	}
	if from.ResourceFieldRef != nil {
		set = append(set, "resourceFieldRef")
		checkResourceRef(s.at("resourceFieldRef"), from.ResourceFieldRef)
	}
	if from.ConfigMapKeyRef != nil {
		set = append(set, "configMapKeyRef")
		checkKeyRef(s.at("configMapKeyRef"), from.ConfigMapKeyRef.Name, from.ConfigMapKeyRef.Key)
	}
	if from.SecretKeyRef != nil {
		set = append(set, "secretKeyRef")
		checkKeyRef(s.at("secretKeyRef"), from.SecretKeyRef.Name, from.SecretKeyRef.Key)
	}
	if from.FileKeyRef != nil {
		set = append(set, "fileKeyRef")
		p.checkFileKeyRef(s.at("fileKeyRef"), from.FileKeyRef)
	}
	switch {
	case len(set) == 0:
		s.refuse("says nothing; set one of fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef and fileKeyRef, or a value")
	case variable.Value != "":
		s.refuse("%s cannot stand beside a value; %s has value %q: keep one", list(set), variable.Name, variable.Value)
	case len(set) > 1:
		s.refuse("%s has %s; keep one", variable.Name, list(set))
	}
}

func checkEnvFrom(s spot, source corev1.EnvFromSource) {
	if source.Prefix != "" {
		s.at("prefix").refuseIf(validation.IsRelaxedEnvVarName(source.Prefix), source.Prefix)
	}
	if source.ConfigMapRef != nil {
		checkPrefix(s.at("configMapRef", "name"), source.ConfigMapRef.Name)
	}
	if source.SecretRef != nil {
		checkPrefix(s.at("secretRef", "name"), source.SecretRef.Name)
	}
	if (source.ConfigMapRef == nil) == (source.SecretRef == nil) {
		s.refuse("must have one of configMapRef and secretRef")
	}
}

// checkPrefix is the API's own odd rule for envFrom: a name may end as only the
// beginning of a name may.
func checkPrefix(s spot, name string) {
	s.needs(name)
	if name != "" {
		s.refuseIf(apivalidation.NameIsDNSSubdomain(name, true), name)
	}
}

func checkKeyRef(s spot, name, key string) {
	s.at("name").refuseIf(isSubdomain(name), name)
	s.at("key").needs(key)
	if key != "" {
		s.at("key").refuseIf(validation.IsConfigMapKey(key), key)
	}
}

// checkFileKeyRef: the file is on a volume that the pod's containers share.
func (p pod) checkFileKeyRef(s spot, ref *corev1.FileKeySelector) {
	s.at("key").needs(ref.Key)
	if ref.Key != "" {
		s.at("key").refuseIf(validation.IsRelaxedEnvVarName(ref.Key), ref.Key)
	}
	s.at("path").needs(ref.Path)
	noBacksteps(s.at("path"), ref.Path)
	volume := s.at("volumeName")
	source, found := p.volumes[ref.VolumeName]
	switch {
	case ref.VolumeName == "":
		volume.needs("")
	case !found:
		volume.refuse("there is no volume %q", ref.VolumeName)
	case sourcesOf(&source) != 0 && source.EmptyDir == nil:
		volume.refuse("%q must be an emptyDir", ref.VolumeName)
	}
}

// checkFieldRef: a pod tells some of its fields, and any one label or
// annotation.
func checkFieldRef(s spot, ref *corev1.ObjectFieldSelector, fields []string) {
	if ref.APIVersion != "" && ref.APIVersion != "v1" {
		s.at("apiVersion").refuse("must be v1; it is %q", ref.APIVersion)
		return
	}
	at := s.at("fieldPath")
	switch path, key, ok := subscript(ref.FieldPath); {
	case ref.FieldPath == "":
		at.needs("")
	case ok && path == "metadata.labels":
		at.refuseIf(isKey(key), key)
	case ok && path == "metadata.annotations":
		at.refuseIf(isKey(strings.ToLower(key)), key)
	case ok:
		at.refuse("only metadata.labels and metadata.annotations have keys; it is %q", ref.FieldPath)
	case ref.FieldPath == "spec.host" && slices.Contains(fields, "spec.nodeName"):
		// An old name of spec.nodeName that the API still takes.
	default:
		among(at, ref.FieldPath, fields...)
	}
}

// subscript splits metadata.labels['key'].
func subscript(path string) (field, key string, ok bool) {
	inner, ok := strings.CutSuffix(path, "']")
	if !ok {
		return path, "", false
	}
	field, key, ok = strings.Cut(inner, "['")
	return field, key, ok && field != ""
}

func checkResourceRef(s spot, ref *corev1.ResourceFieldSelector) {
	resource := ref.Resource
	isHugePages := strings.HasPrefix(resource, "limits.hugepages-") || strings.HasPrefix(resource, "requests.hugepages-")
	if !isHugePages {
		among(s.at("resource"), resource, resourceFields...)
	}
	if ref.Divisor.IsZero() {
		return
	}
	switch {
	case resource == "limits.cpu" || resource == "requests.cpu":
		among(s.at("divisor"), ref.Divisor.String(), "1", "1m")
	case isHugePages || slices.Contains(resourceFields, resource):
		among(s.at("divisor"), ref.Divisor.String(), divisors...)
	}
}
